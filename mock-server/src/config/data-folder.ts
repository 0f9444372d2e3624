import { chmodSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync as Connection } from 'node:sqlite';
import { DatabaseSync } from '../storage/sqlite/node-sqlite.ts';
import { ConfigError } from './config.ts';

/** A data folder that only this process uses. */
export interface DataFolder extends Disposable {
  databaseFile: string;
}

/** The file for the master key in a data folder. */
export const masterKeyFileIn = (dir: string): string => join(dir, 'master.key');

/**
 * Creates the folder if it does not exist (mode 0700), out of Git's sight, and locks it for this process. The lock belongs to the operating
 * system: an open transaction holds it. So it ends with the process, however that ends.
 *
 * @throws {@link ConfigError} if another server uses the folder, or it cannot be written to.
 */
export function openDataFolder(dir: string): DataFolder {
  makeFolder(dir);
  const lock = takeLock(dir);
  const databaseFile = join(dir, 'svc-mock.sqlite');
  ownerOnly(databaseFile);
  return { databaseFile, [Symbol.dispose]: () => lock.close() };
}

function makeFolder(dir: string): void {
  const isNew = !existsSync(dir);
  try {
    makeMissing(resolve(dir));
    // The default folder is in somebody's project, and contains the master key.
    if (isNew) writeFileSync(join(dir, '.gitignore'), '*\n', { mode: 0o600 });
  } catch (cause) {
    throw new ConfigError(`Cannot create the data folder ${dir}: ${(cause as Error).message}`, { cause });
  }
}

/** Not with `recursive`: if an existing folder accepts no new ones (such as `/proc`: ENOENT), Node tries forever. */
function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another server may have created it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/**
 * Restricts the file whatever the folder allows, because the database contains receivers' answers. SQLite gives its log
 * files the same mode.
 */
function ownerOnly(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function takeLock(dir: string): Connection {
  const file = join(dir, 'server.lock');
  let lock: Connection | undefined;
  try {
    lock = new DatabaseSync(file);
    chmodSync(file, 0o600);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    const busy = (cause as { errcode?: number }).errcode === 5;
    throw new ConfigError(
      busy
        ? `Another server is running on the data folder ${dir}. Stop it, or choose another folder with --data.`
        : `Cannot use the data folder ${dir}: ${(cause as Error).message}`,
      { cause },
    );
  }
}
