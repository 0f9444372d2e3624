import { Worker } from 'node:worker_threads';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Queries, type Storage, StorageUnavailableError } from '../port.ts';
import { RowBatch } from '../row-batch.ts';
import type { Database } from '../schema/database.ts';
import type { SqliteStorage } from './open.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';
import { BEGIN, rethrow } from './trouble.ts';

/**
 * The same database for the delivery engine, its statements run by a thread of their own: requests are answered while
 * they run and while they wait for the disk. Until the thread is up, and if it should ever end, `storage` runs them.
 *
 * @param threadEnded - Called if the thread ends before it is told to.
 */
export function openEngineStorage(
  file: string,
  storage: SqliteStorage,
  threadEnded: (reason: unknown) => void,
): Storage {
  const { writer } = storage;
  const name = import.meta.url.endsWith('.ts') ? './engine-thread.ts' : './engine-thread.js';
  const thread = new Worker(new URL(name, import.meta.url), { workerData: file, name: 'delivery engine' });
  const waiting = new Map<number, PromiseWithResolvers<QueryResult<unknown>>>();
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  let isUp = false;
  let isClosing = false;
  let cause: unknown;
  let requests = 0;

  thread.on('message', (answer: 'ready' | ThreadAnswer) => {
    if (answer === 'ready') {
      isUp = true;
      return;
    }
    const { id } = answer;
    const asked = waiting.get(id);
    waiting.delete(id);
    if ('error' in answer) asked?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else asked?.resolve({ rows: answer.rows, numAffectedRows: BigInt(answer.changes ?? 0) });
  });
  thread.on('error', (error) => {
    cause = error;
  });
  thread.on('exit', () => {
    isUp = false;
    if (isClosing) return;
    // What it was about may have been committed or not.
    const lost = threadIsGone();
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
    threadEnded(cause);
  });

  const threadIsGone = () =>
    new StorageUnavailableError('The thread of the database ended.', { cause, outcome: 'unknown' });

  async function ask(on: ThreadRequest['on'], { sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    // It may have ended while the caller waited for the lock; nobody would answer.
    if (!isUp) throw threadIsGone();
    const id = ++requests;
    const asked = Promise.withResolvers<QueryResult<unknown>>();
    waiting.set(id, asked);
    const [batch] = parameters;
    const request: ThreadRequest =
      batch instanceof RowBatch ? { id, on, sql, parameters: [], rows: batch.rows } : { id, on, sql, parameters };
    thread.postMessage(request);
    return asked.promise;
  }

  const queriesOn = (on: ThreadRequest['on']): Queries =>
    new Kysely<Database>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new ThreadDriver((query) => ask(on, query)),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    });
  const queries = { read: queriesOn('read'), write: queriesOn('write') };
  const run = (sql: string) => ask('write', CompiledQuery.raw(sql));

  async function write<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    await writer.acquire();
    try {
      const begun = run(BEGIN);
      // Where it fails, so does the first statement; and it is waited for below.
      begun.catch(() => {});
      const result = await work(queries.write);
      await begun;
      await run('COMMIT');
      return result;
    } catch (error) {
      // Where the transaction ended with the failure, there is nothing to roll back.
      if (isUp) await run('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      writer.release();
    }
  }

  return {
    read: (work) => (isUp ? work(queries.read).catch(rethrow) : storage.read(work)),
    write: (work) => (isUp ? write(work).catch(rethrow) : storage.write(work)),
    async [Symbol.asyncDispose]() {
      // Whoever has the lock is answered first.
      await writer.acquire();
      writer.release();
      isClosing = true;
      thread.postMessage('close');
      await ended;
    },
  };
}

/** Hands statements on; whoever uses it sees to transactions. */
class ThreadDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(ask: (query: CompiledQuery) => Promise<QueryResult<unknown>>) {
    this.#connection = {
      executeQuery: <Row>(query: CompiledQuery) => ask(query) as Promise<QueryResult<Row>>,
      streamQuery: () => {
        throw new Error('Rows are not streamed.');
      },
    };
  }

  acquireConnection = async () => this.#connection;
  init = async () => {};
  beginTransaction = async () => {};
  commitTransaction = async () => {};
  rollbackTransaction = async () => {};
  releaseConnection = async () => {};
  destroy = async () => {};
}
