import { type FileHandle, open } from 'node:fs/promises';
import { StorageUnavailableError } from '../port.ts';

export type LogFile = ReturnType<typeof openLogFile>;

const FAILED = 'The disk failed to store committed data. Check the disk, and restart the server.';
const DELETED = 'The files of the database were deleted while the server was running. To continue, restart the server.';

const messageOf = (failure: unknown) => ((failure as NodeJS.ErrnoException).code === 'ENOENT' ? DELETED : FAILED);

/**
 * Opens the log at the first flush, because SQLite creates the log with the first transaction. On POSIX systems,
 * closing the log releases all locks that the process has on this file, but this does no harm, because SQLite does not
 * lock the log.
 *
 * @param failed - Called only for the first flush that fails.
 */
export function openLogFile(databaseFile: string, failed: (error: unknown) => void) {
  let opened: Promise<FileHandle> | undefined;
  let failure: unknown;

  /** Throws if any flush has failed: even if a later flush has succeeded, the system may have lost the earlier data. */
  function check(): void {
    if (failure !== undefined) throw new StorageUnavailableError(messageOf(failure), { cause: failure });
  }

  return {
    check,
    /**
     * Resolves once all commits are on disk. Does not block the event loop.
     *
     * @throws {@link StorageUnavailableError} if this flush or an earlier flush failed, or if the log was deleted.
     */
    async flush(): Promise<void> {
      try {
        // Windows can flush only files that are open for writing.
        opened ??= open(`${databaseFile}-wal`, 'r+');
        const log = await opened;
        const [{ nlink }] = await Promise.all([log.stat(), log.datasync()]);
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
      const log = await opened?.catch(() => undefined);
      await log?.close().catch(() => {});
    },
  };
}
