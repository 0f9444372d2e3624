import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config.ts';

/** Where a data folder keeps what. */
export interface DataFolder {
  databaseFile: string;
  masterKeyFile: string;
}

/** Makes the folder where it is absent (mode 0700). @throws {@link ConfigError} where that cannot be. */
export function makeDataFolder(dir: string): DataFolder {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ConfigError(`The data folder ${dir} cannot be made: ${(cause as Error).message}`, { cause });
  }
  return { databaseFile: join(dir, 'svc-mock.sqlite'), masterKeyFile: join(dir, 'master.key') };
}

/**
 * Makes the folder where it is absent and takes it for this process alone. The lock is the operating system's, held by
 * an open transaction, so it goes with the process however that ends.
 *
 * @throws {@link ConfigError} where another server has the folder, or it cannot be written.
 */
export function openDataFolder(dir: string): DataFolder & Disposable {
  const folder = makeDataFolder(dir);
  const lock = takeLock(dir);
  ownerOnly(folder.databaseFile);
  return { ...folder, [Symbol.dispose]: () => lock.close() };
}

/** Whatever the folder lets others do: the database holds what receivers answered. Its log files get the same mode. */
function ownerOnly(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function takeLock(dir: string): DatabaseSync {
  const file = join(dir, 'server.lock');
  let lock: DatabaseSync | undefined;
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
        : `The data folder ${dir} cannot be used: ${(cause as Error).message}`,
      { cause },
    );
  }
}
