import type { Lock } from './lock.ts';

/** The mode PASSIVE never waits for readers or writers. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Copies the write-ahead log into the database file, except changes that a running read must not see yet.
 *
 * @param isLast - Whether this is the last part of a checkpoint. No connection writes during the last part. So the next
 *   commit restarts the log, and waits until the log's new header is on disk. If a separate thread runs the checkpoint,
 *   the separate thread also makes this next commit. So the main thread does not wait for the disk.
 */
export type Checkpoint = (isLast: boolean) => Promise<void>;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** The time between a commit and its checkpoint. A page that changes many times in this time is copied only once. */
const INTERVAL_MS = 1_000;

/**
 * Keeps the write-ahead log short: runs a checkpoint one second after a commit, and at most one checkpoint per second.
 * The first part of a checkpoint copies most pages while other connections write. The second part is short and copies
 * the remaining pages while no connection writes. SQLite restarts the log only after the whole log was copied.
 *
 * @param runHere - Runs a checkpoint on this thread in one part, and blocks the event loop. Used while no other thread
 *   runs checkpoints.
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

  /**
   * If several checkpoints in a row fail, for example on a full disk, warns only about the first failure. The next
   * commit starts another checkpoint.
   */
  function failed(error: unknown): void {
    if (!hasFailed && !isClosed) warn(error);
    hasFailed = true;
  }

  return {
    committed(): void {
      if (isClosed) return;
      timer ??= setTimeout(() => void checkpoint().catch(failed), INTERVAL_MS).unref();
    },
    /** Sets a function that runs checkpoints on another thread. If undefined, checkpoints run on this thread again. */
    runElsewhere(checkpoint: Checkpoint | undefined): void {
      run = checkpoint ?? runHere;
    },
    [Symbol.dispose](): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
