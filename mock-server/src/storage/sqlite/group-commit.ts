import type { Lock } from './lock.ts';

/** A piece of work that waits to be written. */
interface Write {
  run(): Promise<unknown>;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** How a batch of writes becomes one commit. */
export interface Transactions {
  begin(): void;
  commit(): void;
  /** Resolves once what was committed is on disk. */
  flush(): Promise<void>;
  rollback(): void;
  /** Whether the transaction goes on. Some failures, a full disk among them, end it by themselves. */
  isOpen(): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

/**
 * Writes that wait together share one transaction and so one flush to disk (group commit). Each runs after a savepoint,
 * so that one that throws takes no other with it.
 *
 * @param locks - Held from the beginning of a transaction to its end.
 */
export function createGroupCommit(transactions: Transactions, locks: readonly Lock[]) {
  let waiting: Write[] = [];
  let isWorking = false;
  let idle = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      for (const lock of locks) await lock.acquire();
      const writes = waiting;
      waiting = [];
      await commitAndFlush(writes, () => {
        for (const lock of locks.toReversed()) lock.release();
      });
    }
    isWorking = false;
  }

  /** Others may write while this waits for the disk. What waits here meanwhile goes into the next commit. */
  async function commitAndFlush(writes: readonly Write[], committed: () => void): Promise<void> {
    try {
      const settle = await commit(writes).finally(committed);
      await transactions.flush();
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /**
   * @returns what tells each caller, once everything is on disk.
   * @throws if the commit failed, or a statement so that the transaction ended with it (a full disk, say): nothing of
   *   the whole batch is kept then.
   */
  async function commit(writes: readonly Write[]): Promise<(() => void)[]> {
    const settle: (() => void)[] = [];
    const alone = writes.length === 1;
    try {
      transactions.begin();
      for (const { run, resolve, reject } of writes) {
        // After a savepoint SQLite keeps a copy of each page that it changes. A write that is alone needs none: it falls
        // with its transaction.
        if (!alone) transactions.savepoint();
        try {
          const result = await run();
          if (!alone) transactions.releaseSavepoint();
          settle.push(() => resolve(result));
        } catch (error) {
          if (alone || !transactions.isOpen()) throw error;
          transactions.rollbackToSavepoint();
          settle.push(() => reject(error));
        }
      }
      transactions.commit();
      return settle;
    } catch (error) {
      transactions.rollback();
      throw error;
    }
  }

  return {
    /** Runs a piece of work in the next transaction. Resolves with its result once that is on disk. */
    write<Result>(run: () => Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
        if (isWorking) return;
        isWorking = true;
        // What is asked for in the same round of the event loop goes into the same commit.
        idle = new Promise((done) => setImmediate(() => writeAll().finally(done)));
      });
    },
    /** Resolves when nothing waits any more. */
    idle: () => idle,
  };
}
