import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { StorageUnavailableError } from '../port.ts';

/** The write-ahead log of a database file, in which SQLite keeps what is committed until a checkpoint. */
export interface LogFile extends AsyncDisposable {
  /**
   * Resolves once everything that has been committed is on disk. The event loop goes on meanwhile.
   *
   * @throws {@link StorageUnavailableError} if the disk fails: nobody knows whether it would survive a power failure.
   */
  flush(): Promise<void>;
}

/**
 * Opens the log beside a database file, at the first flush. SQLite makes the file with the first transaction and keeps
 * it as long as a connection is open. It locks other files than this one, so closing it here gives up no lock.
 */
export function openLogFile(databaseFile: string): LogFile {
  let opened: Promise<number> | undefined;
  return {
    async flush() {
      // Windows flushes only what may be written.
      opened ??= promisify(open)(`${databaseFile}-wal`, 'r+');
      try {
        await promisify(fdatasync)(await opened);
      } catch (cause) {
        throw new StorageUnavailableError('The disk did not take what was committed.', { cause, outcome: 'unknown' });
      }
    },
    async [Symbol.asyncDispose]() {
      if (opened) await promisify(close)(await opened);
    },
  };
}
