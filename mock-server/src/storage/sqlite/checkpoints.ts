import type { Lock } from './lock.ts';

/** PASSIVE never waits for readers or writers. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Copies the write-ahead log into the database file, except pages that a reader still needs.
 *
 * @param isLast - Whether nobody writes, so that the log can start again. The first commit to a new log waits for
 *   the disk, because it flushes the log's header. So the checkpoint thread also makes that commit.
 */
export type Checkpoint = (isLast: boolean) => Promise<void>;

/** Keeps the write-ahead log short. */
export interface Checkpoints extends Disposable {
  /** Something was committed. A checkpoint follows within a second. */
  committed(): void;
  /** Sets where checkpoints run. If undefined, they run in this thread again. */
  runElsewhere(checkpoint: Checkpoint | undefined): void;
}

/** The time between checkpoints. A page that changes many times in between is copied once. */
const INTERVAL_MS = 1_000;

/**
 * Runs a checkpoint within a second of a commit, however many commits there are. The first part copies most pages while
 * others write. The second part is short and runs while nobody writes, because SQLite restarts the log only when all of
 * it is copied.
 *
 * @param runHere - Blocks the event loop. Used while no thread makes checkpoints.
 */
export function createCheckpoints(runHere: Checkpoint, writer: Lock, warn: (error: unknown) => void): Checkpoints {
  let run = runHere;
  let hasFailed = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function checkpoint(): Promise<void> {
    timer = undefined;
    if (run !== runHere) await run(false);
    await writer.acquire();
    try {
      await run(true);
    } finally {
      writer.release();
    }
  }

  function succeeded(): void {
    hasFailed = false;
  }

  /** A checkpoint that fails, for example on a full disk, runs again after the next commit. */
  function failed(error: unknown): void {
    if (!hasFailed && !isClosed) warn(error);
    hasFailed = true;
  }

  return {
    committed() {
      if (isClosed) return;
      timer ??= setTimeout(() => void checkpoint().then(succeeded, failed), INTERVAL_MS).unref();
    },
    runElsewhere(checkpoint) {
      run = checkpoint ?? runHere;
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
