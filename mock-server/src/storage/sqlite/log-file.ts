import { close, fdatasync, fstat, open } from 'node:fs';
import { promisify } from 'node:util';
import { StorageUnavailableError } from '../port.ts';

export type LogFile = ReturnType<typeof openLogFile>;

const FAILED = 'The disk failed to store committed data. Check the disk, and restart the server.';
const DELETED = 'The files of the database were deleted while the server was running. To continue, restart the server.';

const messageOf = (failure: unknown) => ((failure as NodeJS.ErrnoException).code === 'ENOENT' ? DELETED : FAILED);

/**
 * Opens the log of a database file at the first flush. SQLite creates the log with the first transaction, and keeps the
 * log while a connection is open. On POSIX systems, closing a file releases all locks of the process on this file. This
 * does no harm here, because SQLite does not lock the log.
 *
 * @param failed - Called when a flush fails for the first time.
 */
export function openLogFile(databaseFile: string, failed: (error: unknown) => void) {
  let opened: Promise<number> | undefined;
  let failure: unknown;

  /**
   * @throws {@link StorageUnavailableError} after any failed flush, even if a later flush succeeds. The later success
   *   proves nothing, because the operating system may have dropped the data of the failed flush.
   */
  function check(): void {
    if (failure !== undefined) throw new StorageUnavailableError(messageOf(failure), { cause: failure });
  }

  return {
    check,
    /**
     * Resolves once all commits are on disk. The flush does not block the event loop.
     *
     * @throws {@link StorageUnavailableError} if this flush or an earlier flush failed, or if the log was deleted.
     *   After a disk error, a power failure may lose commits. If the log was deleted, its commits are lost when the
     *   server stops.
     */
    async flush(): Promise<void> {
      try {
        // Windows can flush only files that are open for writing.
        opened ??= promisify(open)(`${databaseFile}-wal`, 'r+');
        const descriptor = await opened;
        const [{ nlink }] = await Promise.all([promisify(fstat)(descriptor), promisify(fdatasync)(descriptor)]);
        // The operating system accepts writes to a deleted file, and loses them when the file is closed.
        if (nlink === 0) throw Object.assign(new Error(`${databaseFile}-wal was deleted.`), { code: 'ENOENT' });
      } catch (cause) {
        if (failure === undefined) failed(cause);
        failure ??= cause;
        throw new StorageUnavailableError(messageOf(cause), { cause, outcome: 'unknown' });
      }
      check();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const descriptor = await opened?.catch(() => undefined);
      if (descriptor !== undefined) await promisify(close)(descriptor).catch(() => {});
    },
  };
}
