import { closeSync, constants, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync as Connection } from 'node:sqlite';
import { DatabaseSync } from '../storage/sqlite/node-sqlite.ts';
import { ConfigError } from './config.ts';
import { openOwnFile, refuseLink } from './own-file.ts';

export const masterKeyFileIn = (dir: string): string => join(dir, 'master.key');

/**
 * Opens a data folder, creating it if it is missing. Locks the folder for this process with an open transaction on a
 * lock file: when the process ends, even if it crashes, the operating system releases the lock.
 */
export function openDataFolder(dir: string): Disposable & { databaseFile: string } {
  makeFolder(dir);
  const lock = takeLock(dir);
  const databaseFile = join(dir, 'svc-mock.sqlite');
  try {
    // Only the owner may read the database. SQLite gives the log files of the database the same mode.
    closeSync(openOwnFile(databaseFile, constants.O_RDWR));
  } catch (cause) {
    lock.close();
    throw unusable(dir, cause);
  }
  return { databaseFile, [Symbol.dispose]: () => lock.close() };
}

function makeFolder(dir: string): void {
  const path = resolve(dir);
  const isNew = !existsSync(path);
  try {
    makeMissing(path);
    // The default folder is in the user's project and contains the master key, so exclude the folder from Git.
    if (isNew) writeFileSync(join(path, '.gitignore'), '*\n', { mode: 0o600 });
  } catch (cause) {
    throw new ConfigError(`Cannot create the data folder ${dir}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Does not use Node's option `recursive`: Node would then retry forever if an existing folder, such as `/proc`, rejects
 * a new folder with ENOENT.
 */
function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another server may have created the folder in the meantime.
    if (!existsSync(path)) throw error;
  }
}

/** Whether users other than the owner can create files in a folder, and could therefore replace the master key. */
export function canOthersWrite(dir: string): boolean {
  // Windows has no file modes for the group and other users.
  if (process.platform === 'win32') return false;
  try {
    // A missing folder is safe, because the server creates it for its owner only.
    const mode = statSync(dir, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o022) !== 0;
  } catch (cause) {
    throw unusable(dir, cause);
  }
}

function takeLock(dir: string): Connection {
  const file = join(dir, 'server.lock');
  let lock: Connection | undefined;
  try {
    refuseLink(file);
    // `closeSync` would release any lock that this process already holds on the file, so do not open an existing file.
    if (!existsSync(file)) closeSync(openSync(file, 'ax', 0o600));
    lock = new DatabaseSync(file);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    const isBusy = (cause as { errcode?: number }).errcode === 5;
    if (!isBusy) throw unusable(dir, cause);
    const message = `Another server is using the data folder ${dir}. Stop that server, or choose another folder with --data.`;
    throw new ConfigError(message, { cause });
  }
}

const unusable = (dir: string, cause: unknown): ConfigError =>
  cause instanceof ConfigError
    ? cause
    : new ConfigError(`Cannot use the data folder ${dir}: ${(cause as Error).message}`, { cause });
