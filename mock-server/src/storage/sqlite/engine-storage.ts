import { CompiledQuery } from 'kysely';
import type { Queries, StatementsFor, Storage, WriteOptions } from '../port.ts';
import { CHECKPOINT } from './checkpoints.ts';
import { type StatementToSend, startDatabaseThread } from './database-thread.ts';
import { handOn } from './dialect.ts';
import { endOf } from './lock.ts';
import type { SqliteStorage } from './open.ts';
import { BEGIN, rethrow } from './trouble.ts';

/**
 * Runs the engine's statements on a separate thread, so that requests do not wait for these statements. Until the
 * thread has started, and after it has ended unexpectedly, `storage` runs the statements.
 */
export function openEngineStorage(
  file: string,
  storage: SqliteStorage,
  threadEnded: (reason: unknown) => void,
): Storage {
  const { writer, checkpoints } = storage;
  const thread = startDatabaseThread(file, {
    onUp: () => checkpoints.runElsewhere(checkpoint),
    onDown: () => checkpoints.runElsewhere(undefined),
    onLost: threadEnded,
  });
  const { isUp, send } = thread;

  const ask = (on: 'read' | 'write', statement: CompiledQuery) => send({ on, statement: toSend(statement) });

  const queries = {
    read: handOn((statement) => ask('read', statement)),
    write: handOn((statement) => ask('write', statement)),
  };
  const run = (sql: string) => ask('write', CompiledQuery.raw(sql));

  async function checkpoint(isLast: boolean): Promise<void> {
    // Use the read connection, because the write connection may have an open transaction.
    await ask('read', CompiledQuery.raw(CHECKPOINT));
    if (isLast) await send({ transaction: [{ sql: NO_CHANGE, parameters: [] }] });
  }

  async function write<Result>(
    work: (queries: Queries) => Promise<Result>,
    { waitsForDisk = true, isBulk = false }: WriteOptions = {},
  ): Promise<Result> {
    const result = await commit(work, isBulk);
    if (waitsForDisk) await storage.flush();
    return result;
  }

  async function commit<Result>(work: (queries: Queries) => Promise<Result>, isBulk: boolean): Promise<Result> {
    using _lock = isBulk ? await storage.bulk.acquire() : undefined;
    using _held = await writer.acquire();
    try {
      storage.check();
      const begun = run(BEGIN);
      // Prevent an unhandled rejection: if `begin` fails, the first statement or `await begun` also throws the error.
      begun.catch(() => {});
      const result = await work(queries.write);
      await begun;
      await run('COMMIT');
      checkpoints.committed();
      return result;
    } catch (error) {
      // Ignore errors of the rollback: the failure may have ended the transaction already.
      if (isUp()) await run('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async function commitAtOnce(statementsFor: StatementsFor): Promise<unknown[]> {
    using _held = await writer.acquireShared();
    storage.check();
    const { rows } = await send({ transaction: statementsFor('sqlite').map(toSend) });
    checkpoints.committed();
    return rows;
  }

  async function writeAtOnce(statementsFor: StatementsFor): Promise<unknown[]> {
    const rows = await commitAtOnce(statementsFor);
    await storage.flush();
    return rows;
  }

  return {
    read: (work) => (isUp() ? work(queries.read).catch(rethrow) : storage.read(work)),
    write: (work, options) => (isUp() ? write(work, options).catch(rethrow) : storage.write(work, options)),
    writeAtOnce: (statements) => (isUp() ? writeAtOnce(statements).catch(rethrow) : storage.writeAtOnce(statements)),
    async [Symbol.asyncDispose]() {
      checkpoints.runElsewhere(undefined);
      await endOf(storage.bulk);
      // First wait for the lock, so that the current holder of the lock still receives the thread's response.
      await endOf(writer);
      await thread.close();
    },
  };
}

/** Writes a number that the server does not use, so that the transaction restarts the log (see `Checkpoint`). */
const NO_CHANGE = 'PRAGMA user_version = 0';

const toSend = ({ sql, parameters }: CompiledQuery): StatementToSend => ({ sql, parameters });
