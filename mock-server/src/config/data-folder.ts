import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync as Connection } from 'node:sqlite';
import { DatabaseSync } from '../storage/sqlite/node-sqlite.ts';
import { ConfigError } from './config.ts';

/** A data folder that this process has for itself. */
export interface DataFolder extends Disposable {
  databaseFile: string;
}

/** The file in a data folder that the master key is kept in. */
export const masterKeyFileIn = (dir: string): string => join(dir, 'master.key');

/**
 * Makes the folder where it is absent (mode 0700) and takes it for this process alone. The lock is the operating system's, held by
 * an open transaction, so it goes with the process however that ends.
 *
 * @throws {@link ConfigError} where another server has the folder, or it cannot be written.
 */
export function openDataFolder(dir: string): DataFolder {
  makeFolder(dir);
  const lock = takeLock(dir);
  const databaseFile = join(dir, 'svc-mock.sqlite');
  ownerOnly(databaseFile);
  return { databaseFile, [Symbol.dispose]: () => lock.close() };
}

function makeFolder(dir: string): void {
  try {
    makeMissing(resolve(dir));
  } catch (cause) {
    throw new ConfigError(`Cannot create the data folder ${dir}: ${(cause as Error).message}`, { cause });
  }
}

/** Not by `recursive`: where a folder that is there takes none (`/proc`, say: ENOENT), Node tries again for ever. */
function makeMissing(path: string): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another server may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** Whatever the folder lets others do: the database holds what receivers answered. Its log files get the same mode. */
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
