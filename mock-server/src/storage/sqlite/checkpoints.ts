import type { Lock } from './lock.ts';

/** The statement that runs a checkpoint. In the mode PASSIVE, a checkpoint never waits for readers or writers. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Copies the write-ahead log into the database file, except pages that a reader still needs.
 *
 * @param isLast - Whether this is the last part of a checkpoint. Nobody writes during the last part, so that the next
 *   commit restarts the log. That commit waits for the disk, because it flushes the log's header. Therefore, after the
 *   last part, the checkpoint's thread makes this commit itself.
 */
export type Checkpoint = (isLast: boolean) => Promise<void>;

/** Keeps the write-ahead log short. */
export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** The time between checkpoints. A page that changes many times between two checkpoints is copied only once. */
const INTERVAL_MS = 1_000;

/**
 * Runs a checkpoint one second after a commit, and at most one checkpoint per second. The first part of a checkpoint
 * copies most pages while other connections write. The second part is short and copies the remaining pages while nobody
 * writes. SQLite restarts the log only after the whole log was copied.
 *
 * @param runHere - Runs a checkpoint on this thread and blocks the event loop. The function is used while no other
 *   thread runs checkpoints.
 */
export function createCheckpoints(runHere: Checkpoint, writer: Lock, warn: (error: unknown) => void) {
  let run = runHere;
  let hasFailed = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function checkpoint(): Promise<void> {
    timer = undefined;
    if (run !== runHere) await run(false);
    using _held = await writer.acquire();
    await run(true);
    hasFailed = false;
  }

  /** After a checkpoint has failed, for example on a full disk, the next checkpoint follows the next commit. */
  function failed(error: unknown): void {
    if (!hasFailed && !isClosed) warn(error);
    hasFailed = true;
  }

  return {
    /** Call this after a commit. A checkpoint follows within a second. */
    committed(): void {
      if (isClosed) return;
      timer ??= setTimeout(() => void checkpoint().catch(failed), INTERVAL_MS).unref();
    },
    /**
     * Sets the function that runs checkpoints on another thread. If the function is undefined, checkpoints run on this
     * thread again.
     */
    runElsewhere(checkpoint: Checkpoint | undefined): void {
      run = checkpoint ?? runHere;
    },
    [Symbol.dispose](): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
