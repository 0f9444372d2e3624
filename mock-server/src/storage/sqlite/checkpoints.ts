import type { Lock } from './lock.ts';

/** PASSIVE waits for nobody. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Copies what is in the write-ahead log into the database file, as far as nobody reads what it would overwrite.
 *
 * @param isLast - Whether nobody writes: then the log begins anew. The first commit of a new log flushes its header, so the
 *   thread that makes checkpoints makes that commit too.
 */
export type Checkpoint = (isLast: boolean) => Promise<void>;

/** Keeps the write-ahead log short. */
export interface Checkpoints extends Disposable {
  /** Something was committed: a checkpoint follows within a second. */
  committed(): void;
  /** Has checkpoints run elsewhere, or here again. */
  runElsewhere(checkpoint: Checkpoint | undefined): void;
}

/** How long the log may grow before it is copied. A page that changes many times meanwhile is copied once. */
const INTERVAL_MS = 1_000;

/**
 * Runs a checkpoint within a second of a commit, however many commits there are. The first part copies most pages while
 * others write, and the second, short one while nobody does: SQLite begins the log anew only when all of it is copied.
 *
 * @param runHere - Blocks the event loop; it is used while no thread does it.
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

  /** A checkpoint that fails, on a full disk for example, is tried again after the next commit. */
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
