import { createLock, type Lock } from './lock.ts';

/** A piece of work that waits for its turn on the one connection. */
interface Turn {
  run(): Promise<unknown>;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** How a batch of writes becomes one commit. */
export interface Transactions {
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Whether the transaction goes on. Some failures, a full disk among them, end it by themselves. */
  isOpen(): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

/**
 * Gives the connection to one piece of work at a time. Writes that wait together share one transaction and so one
 * flush to disk (group commit); each stands behind a savepoint, so that one that throws takes no other with it. Reads do
 * not wait for those who write over other connections.
 */
export function createTurns(transactions: Transactions, writer: Lock) {
  const connection = createLock();
  let reads: Turn[] = [];
  let writes: Turn[] = [];
  const working = { read: false, write: false };
  const idle = { read: Promise.resolve(), write: Promise.resolve() };

  async function drainReads(): Promise<void> {
    while (reads.length > 0) {
      const turns = reads;
      reads = [];
      await connection.acquire();
      for (const turn of turns) await turn.run().then(turn.resolve, turn.reject);
      connection.release();
    }
    working.read = false;
  }

  async function drainWrites(): Promise<void> {
    while (writes.length > 0) {
      await writer.acquire();
      await connection.acquire();
      const turns = writes;
      writes = [];
      await commitTogether(turns);
      connection.release();
      writer.release();
    }
    working.write = false;
  }

  async function commitTogether(writes: Turn[]): Promise<void> {
    const settle: (() => void)[] = [];
    const alone = writes.length === 1;
    try {
      transactions.begin();
      for (const write of writes) {
        // Behind a savepoint SQLite keeps a copy of each page that it changes; a write that is alone falls with its transaction.
        if (!alone) transactions.savepoint();
        try {
          const result = await write.run();
          if (!alone) transactions.releaseSavepoint();
          settle.push(() => write.resolve(result));
        } catch (error) {
          if (alone || !transactions.isOpen()) throw error;
          transactions.rollbackToSavepoint();
          settle.push(() => write.reject(error));
        }
      }
      transactions.commit();
    } catch (error) {
      // The commit failed, or a statement so that the transaction ended with it (a full disk, say): nothing of the whole
      // batch is kept.
      transactions.rollback();
      for (const write of writes) write.reject(error);
      return;
    }
    for (const done of settle) done();
  }

  return {
    take<Result>(kind: 'read' | 'write', run: () => Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        const turn = { run, resolve: resolve as (value: unknown) => void, reject };
        if (kind === 'read') reads.push(turn);
        else writes.push(turn);
        if (working[kind]) return;
        working[kind] = true;
        const drain = kind === 'read' ? drainReads : drainWrites;
        // Whatever asks for a turn in the same round of the event loop goes into the same commit.
        idle[kind] = new Promise((done) => setImmediate(() => drain().finally(done)));
      });
    },
    /** Resolves when nobody waits any more. */
    async idle(): Promise<void> {
      await Promise.all([idle.read, idle.write]);
    },
  };
}
