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
  /**
   * @throws {@link StorageUnavailableError} after a flush failed. The system may then believe that what it could not write
   *   is on disk, so a later flush that succeeds proves nothing.
   */
  check(): void;
}

const FAILED = 'The disk failed to store what was committed. Check it and restart the server.';

/**
 * Opens the log beside a database file, at the first flush. SQLite makes the file with the first transaction and keeps
 * it as long as a connection is open. It locks other files than this one, so closing it here gives up no lock.
 *
 * @param failed - Called when a flush fails for the first time.
 */
export function openLogFile(databaseFile: string, failed: (error: unknown) => void): LogFile {
  let opened: Promise<number> | undefined;
  let failure: unknown;

  function check(): void {
    if (failure !== undefined) throw new StorageUnavailableError(FAILED, { cause: failure });
  }

  return {
    check,
    async flush() {
      try {
        // Windows flushes only what may be written.
        opened ??= promisify(open)(`${databaseFile}-wal`, 'r+');
        await promisify(fdatasync)(await opened);
      } catch (cause) {
        if (failure === undefined) failed(cause);
        failure ??= cause;
        throw new StorageUnavailableError(FAILED, { cause, outcome: 'unknown' });
      }
      check();
    },
    async [Symbol.asyncDispose]() {
      const descriptor = await opened?.catch(() => undefined);
      if (descriptor !== undefined) await promisify(close)(descriptor).catch(() => {});
    },
  };
}
