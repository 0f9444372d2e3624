import type { DatabaseSync } from 'node:sqlite';
import { joinRuns } from '../../runtime/join-runs.ts';
import type { Lock } from './lock.ts';
import type { LogFile } from './log-file.ts';
import { BEGIN } from './trouble.ts';

interface Write {
  run(): Promise<unknown>;
  waitsForDisk: boolean;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

interface GroupCommitOptions {
  connection: Pick<DatabaseSync, 'exec' | 'isOpen' | 'isTransaction'>;
  /** The lock that is held from the beginning of a transaction to its end. */
  writer: Lock;
  /** Undefined for a database in memory. */
  log: Pick<LogFile, 'check' | 'flush'> | undefined;
  begun(): void;
  committed(): void;
}

/**
 * Writes that wait at the same time share one transaction and one flush to disk. Each write has a savepoint, so a
 * failed write does not affect the other writes.
 */
export function createGroupCommit({ connection, writer, log, begun, committed }: GroupCommitOptions) {
  let waiting: Write[] = [];

  const writeAll = joinRuns(async () => {
    // Start in a later phase of the event loop, so that all writes of the current phase go into one commit.
    await new Promise(setImmediate);
    if (waiting.length === 0) return;
    const held = await writer.acquire();
    const writes = waiting;
    waiting = [];
    try {
      // Release the lock before the flush, so that other connections can write during the flush.
      const settle = await commit(writes).finally(() => held[Symbol.dispose]());
      // This flush also stores earlier commits that did not wait for the disk.
      if (writes.some(({ waitsForDisk }) => waitsForDisk)) await log?.flush();
      for (const done of settle) done();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  });

  /** Whether the transaction is open. A failure, such as a full disk, may have ended the transaction. */
  const isOpen = () => connection.isOpen && connection.isTransaction;

  /**
   * Returns functions that settle the callers' promises. Call these functions after the flush. If `commit` throws, no
   * write is stored.
   */
  async function commit(writes: readonly Write[]): Promise<(() => void)[]> {
    const settle: (() => void)[] = [];
    const alone = writes.length === 1;
    try {
      log?.check();
      begun();
      connection.exec(BEGIN);
      for (const { run, resolve, reject } of writes) {
        // A savepoint costs time, because SQLite keeps a copy of each changed page. A single write needs no savepoint.
        if (!alone) connection.exec('SAVEPOINT work');
        try {
          const result = await run();
          if (!alone) connection.exec('RELEASE work');
          settle.push(() => resolve(result));
        } catch (error) {
          if (alone || !isOpen()) throw error;
          connection.exec('ROLLBACK TO work; RELEASE work');
          settle.push(() => reject(error));
        }
      }
      connection.exec('COMMIT');
      committed();
      return settle;
    } catch (error) {
      if (isOpen()) connection.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    /** With `waitsForDisk`, resolves only when the transaction is on disk. */
    write<Result>(run: () => Promise<Result>, waitsForDisk = true): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ run, waitsForDisk, resolve: resolve as (value: unknown) => void, reject });
        void writeAll();
      });
    },
    /** Resolves when all writes have ended. */
    idle: writeAll,
  };
}
