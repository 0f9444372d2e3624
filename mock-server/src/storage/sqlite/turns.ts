/** A piece of work that waits for its turn on the one connection. */
interface Turn {
  kind: 'read' | 'write';
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
 * flush to disk (group commit); each stands behind a savepoint, so that one that throws takes no other with it.
 */
export function createTurns(transactions: Transactions) {
  let waiting: Turn[] = [];
  let running = false;
  let idle = Promise.resolve();

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const turns = waiting;
      waiting = [];
      for (const turn of turns) if (turn.kind === 'read') await turn.run().then(turn.resolve, turn.reject);
      await commitTogether(turns.filter((turn) => turn.kind === 'write'));
    }
    running = false;
  }

  async function commitTogether(writes: Turn[]): Promise<void> {
    if (writes.length === 0) return;
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
    take<Result>(kind: Turn['kind'], run: () => Promise<Result>): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ kind, run, resolve: resolve as (value: unknown) => void, reject });
        if (running) return;
        running = true;
        // Whatever asks for a turn in the same round of the event loop goes into the same commit.
        idle = new Promise((done) => setImmediate(() => drain().finally(done)));
      });
    },
    /** Resolves when nobody waits any more. */
    async idle(): Promise<void> {
      await idle;
    },
  };
}
