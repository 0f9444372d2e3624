import type { Lock } from './lock.ts';

/** The mode PASSIVE never waits for readers or writers. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Copies the write-ahead log into the database file, except changes that a running read must not see yet.
 *
 * @param isLast - Whether this is the last part of a checkpoint (see {@link createCheckpoints}). During this part, no
 *   connection writes. The next commit then restarts the log, and waits until the log's new header is on disk. If the
 *   checkpoint runs on a separate thread, that thread also makes this commit, so that the main thread does not wait.
 */
export type Checkpoint = (isLast: boolean) => Promise<void>;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** A page that changes many times within this interval is copied only once. */
const INTERVAL_MS = 1_000;

/**
 * Keeps the write-ahead log short. The first part of a checkpoint copies most pages while other connections write. The
 * second part copies the remaining pages while no connection writes, because SQLite restarts the log only after the
 * whole log has been copied.
 *
 * @param runHere - Runs a checkpoint in one part on this thread, which blocks the event loop.
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

  /** Warns only about the first of several failures in a row. The next commit starts another checkpoint. */
  function failed(error: unknown): void {
    if (!hasFailed && !isClosed) warn(error);
    hasFailed = true;
  }

  return {
    committed(): void {
      if (isClosed) return;
      timer ??= setTimeout(() => void checkpoint().catch(failed), INTERVAL_MS).unref();
    },
    /** Replaces the function that runs checkpoints. With `undefined`, checkpoints run on this thread again. */
    runElsewhere(checkpoint: Checkpoint | undefined): void {
      run = checkpoint ?? runHere;
    },
    [Symbol.dispose](): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
