import type { Lock } from './lock.ts';

interface Write {
  run(): Promise<unknown>;
  waitsForDisk: boolean;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface Transactions {
  begin(): void;
  commit(): void;
  /** Resolves once all commits are on disk. */
  flush(): Promise<void>;
  rollback(): void;
  /** Returns false if a failure, such as a full disk, has ended the transaction. */
  isOpen(): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

/**
 * Writes that wait at the same time share one transaction, and so one flush to disk. Each write has a savepoint, so a
 * failed write does not affect the other writes. The `locks` are held during a transaction.
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

  /** Releases the locks before the flush, so that other connections can write during the flush. */
  async function commitAndFlush(writes: readonly Write[], committed: () => void): Promise<void> {
    try {
      const settle = await commit(writes).finally(committed);
      // This flush also stores earlier commits that did not wait for the disk.
      if (writes.some(({ waitsForDisk }) => waitsForDisk)) await transactions.flush();
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /** Returns functions that settle the callers' promises after the flush. If `commit` throws, no write is stored. */
  async function commit(writes: readonly Write[]): Promise<(() => void)[]> {
    const settle: (() => void)[] = [];
    const alone = writes.length === 1;
    try {
      transactions.begin();
      for (const { run, resolve, reject } of writes) {
        // A savepoint costs time, because SQLite keeps a copy of each changed page. A single write needs none.
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
    /** With `waitsForDisk`, resolves only when the transaction is on disk. */
    write<Result>(run: () => Promise<Result>, waitsForDisk = true): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ run, waitsForDisk, resolve: resolve as (value: unknown) => void, reject });
        if (isWorking) return;
        isWorking = true;
        // Start in a later phase of the event loop, so that all writes of the current phase go into one commit.
        idle = new Promise((done) => setImmediate(() => writeAll().finally(done)));
      });
    },
    idle: () => idle,
  };
}
