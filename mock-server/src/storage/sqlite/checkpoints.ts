import type { Lock } from './lock.ts';

/** PASSIVE waits for nobody. */
export const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/** Copies what is in the write-ahead log into the database file, as far as nobody reads what it would overwrite. */
export type Checkpoint = () => Promise<void>;

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
export function createCheckpoints(runHere: Checkpoint, writer: Lock): Checkpoints {
  let run = runHere;
  let timer: NodeJS.Timeout | undefined;

  async function checkpoint(): Promise<void> {
    timer = undefined;
    if (run !== runHere) await run();
    await writer.acquire();
    try {
      await run();
    } finally {
      writer.release();
    }
  }

  return {
    committed() {
      // A checkpoint that fails, on a full disk say, is tried again after the next commit.
      timer ??= setTimeout(() => void checkpoint().catch(() => {}), INTERVAL_MS).unref();
    },
    runElsewhere(checkpoint) {
      run = checkpoint ?? runHere;
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
