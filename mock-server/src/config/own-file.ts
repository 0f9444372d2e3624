import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, writeFileSync } from 'node:fs';
import { ConfigError } from './config.ts';

/**
 * Opens a file that only its owner can access: creates the file, or restricts the permissions of an existing file. The
 * file is safe whatever permissions its folder has. Throws {@link ConfigError} for a symbolic link, because the link
 * may lead to another user's file.
 */
export function openOwnFile(file: string, flags: number): number {
  refuseLink(file);
  // On Windows, there is no O_NOFOLLOW, so only the check above rejects links.
  const opened = openSync(file, flags | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    // The permissions of a device such as `/dev/null` belong to the system.
    if (!fstatSync(opened).isCharacterDevice()) fchmodSync(opened, 0o600);
  } catch (error) {
    closeSync(opened);
    throw error;
  }
  return opened;
}

export function writeOwnFile(file: string, text: string): void {
  const opened = openOwnFile(file, constants.O_WRONLY | constants.O_TRUNC);
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

export function refuseLink(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new ConfigError(
    `${file} is a symbolic link, which the server does not follow. Replace the link with the file itself.`,
  );
}
