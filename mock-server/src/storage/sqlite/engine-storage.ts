import { Worker } from 'node:worker_threads';
import { CompiledQuery, type QueryResult } from 'kysely';
import { handOn } from '../hand-on.ts';
import { type Queries, type StatementsFor, type Storage, StorageUnavailableError, type WriteOptions } from '../port.ts';
import { RowBatch } from '../row-batch.ts';
import type { SqliteStorage } from './open.ts';
import type { StatementResult, StatementToSend, ThreadReply, ThreadRequest } from './thread-messages.ts';
import { BEGIN, BEGIN_WITHOUT_DISK, rethrow } from './trouble.ts';

/**
 * The same database for the delivery engine, on a separate thread. So requests are answered while the engine's
 * statements run or wait for the disk. Before the thread is up, and if it ever ends, `storage` runs the statements.
 *
 * @param threadEnded - Called if the thread ends unexpectedly.
 */
export function openEngineStorage(
  file: string,
  storage: SqliteStorage,
  threadEnded: (reason: unknown) => void,
): Storage {
  const { writer, checkpoints } = storage;
  const name = import.meta.url.endsWith('.ts') ? './engine-thread.ts' : './engine-thread.js';
  const thread = new Worker(new URL(name, import.meta.url), { workerData: file, name: 'delivery engine' });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  let isUp = false;
  let isClosing = false;
  let cause: unknown;
  let requests = 0;

  thread.on('message', (response: 'ready' | ThreadReply) => {
    if (response === 'ready') {
      isUp = true;
      if (!isClosing) checkpoints.runElsewhere(checkpoint);
      return;
    }
    const { id } = response;
    const asked = waiting.get(id);
    waiting.delete(id);
    if ('error' in response) asked?.reject(Object.assign(new Error(response.error.message), response.error));
    else asked?.resolve(response.result);
  });
  thread.on('error', (error) => {
    cause = error;
  });
  thread.on('exit', () => {
    isUp = false;
    checkpoints.runElsewhere(undefined);
    if (isClosing) return;
    // Its current work may or may not have been committed.
    const lost = threadIsGone();
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
    threadEnded(cause);
  });

  const threadIsGone = () =>
    new StorageUnavailableError('The database thread exited unexpectedly.', { cause, outcome: 'unknown' });

  async function send<Answer>(request: UnnumberedRequest): Promise<Answer> {
    // The thread may have ended while the caller waited for the lock. Then nobody would respond.
    if (!isUp) throw threadIsGone();
    const id = ++requests;
    const asked = Promise.withResolvers<unknown>();
    waiting.set(id, asked);
    thread.postMessage({ ...request, id });
    return asked.promise as Promise<Answer>;
  }

  const checkpoint = (isLast: boolean) => send<void>({ checkpoint: isLast ? 'last' : 'first' });

  async function ask(on: 'read' | 'write', statement: CompiledQuery): Promise<QueryResult<unknown>> {
    const { rows, changes } = await send<StatementResult>({ on, statement: toSend(statement) });
    return { rows, numAffectedRows: BigInt(changes) };
  }

  const queries = {
    read: handOn('sqlite', (statement) => ask('read', statement)),
    write: handOn('sqlite', (statement) => ask('write', statement)),
  };
  const run = (sql: string) => ask('write', CompiledQuery.raw(sql));

  async function write<Result>(
    work: (queries: Queries) => Promise<Result>,
    { waitsForDisk = true }: WriteOptions = {},
  ): Promise<Result> {
    await writer.acquire();
    try {
      const begun = run(waitsForDisk ? BEGIN : BEGIN_WITHOUT_DISK);
      // If this fails, so does the first statement. It is awaited below.
      begun.catch(() => {});
      const result = await work(queries.write);
      await begun;
      await run('COMMIT');
      checkpoints.committed();
      return result;
    } catch (error) {
      // If the failure ended the transaction, there is nothing to roll back.
      if (isUp) await run('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      writer.release();
    }
  }

  async function writeAtOnce(statementsFor: StatementsFor): Promise<unknown[]> {
    await writer.acquireShared();
    try {
      const { rows } = await send<StatementResult>({ statements: statementsFor('sqlite').map(toSend) });
      checkpoints.committed();
      return rows;
    } finally {
      writer.release();
    }
  }

  return {
    read: (work) => (isUp ? work(queries.read).catch(rethrow) : storage.read(work)),
    write: (work, options) => (isUp ? write(work, options).catch(rethrow) : storage.write(work, options)),
    writeAtOnce: (statements) => (isUp ? writeAtOnce(statements).catch(rethrow) : storage.writeAtOnce(statements)),
    async [Symbol.asyncDispose]() {
      checkpoints.runElsewhere(undefined);
      // The holder of the lock gets its response first.
      await writer.acquire();
      writer.release();
      isClosing = true;
      thread.postMessage('close');
      await ended;
    },
  };
}

type UnnumberedRequest = ThreadRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never;

function toSend({ sql, parameters }: CompiledQuery): StatementToSend {
  const [batch] = parameters;
  return batch instanceof RowBatch ? { sql, parameters: [], rows: batch.rows } : { sql, parameters };
}
