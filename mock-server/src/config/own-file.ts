import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ConfigError } from './config.ts';

/**
 * Opens or creates a file, and lets only its owner access it. Throws for a symbolic link,
 * because the link may lead to another user's file.
 */
export function openOwnFile(file: string, flags: number): number {
  refuseLink(file);
  // On Windows, there is no O_NOFOLLOW, so only the check above rejects links.
  const opened = openSync(file, flags | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    // A device such as `/dev/null` belongs to the system, so do not change its permissions.
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

/** Matches the path of a file that is already open in this process: `/dev/stdin`, or `/dev/fd/63` for `<(command)`. */
const OPENED = /^\/(?:dev\/(?:stdin|fd\/(\d+))|proc\/self\/fd\/(\d+))$/;

/** Reads a file as UTF-8. Invalid bytes become U+FFFD. */
export const readRegularFile = (file: string): string => readRegularBytes(file).toString('utf8');

/**
 * Reads a file. Reads a pipe only if this process already has the pipe open. Opening any other pipe would wait until
 * another program opens that pipe for writing, which may never happen.
 */
export function readRegularBytes(file: string): Buffer {
  const found = statSync(file);
  if (found.isFile()) return readFileSync(file);
  const opened = OPENED.exec(file);
  if (!found.isFIFO() || !opened) throw new Error('it is not a regular file');
  return readPipe(Number(opened[1] ?? opened[2] ?? 0));
}

const PIPE_CAPACITY_BYTES = 65_536;
const READ_AGAIN_MS = 10;

/**
 * Reads a pipe until its writer closes it. Reading an empty pipe may fail with EAGAIN instead of waiting, because Node
 * makes standard input non-blocking when a module imports `process`.
 */
function readPipe(opened: number): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(PIPE_CAPACITY_BYTES);
    try {
      const length = readSync(opened, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READ_AGAIN_MS);
    }
  }
}
