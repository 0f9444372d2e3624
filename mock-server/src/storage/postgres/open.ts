import type pg from 'pg';
import type { Queries, SnapshotStorage, StatementsFor } from '../port.ts';
import { createPool, createSockets, type Purpose } from './connections.ts';
import { storedStatement } from './stored-statement.ts';
import { connectionOf, inTransaction, type TransactionOptions } from './transaction.ts';
import { isConflict, isSpent, isUnavailable, unavailable } from './trouble.ts';

/** Begins a transaction for long reads, which sees the database as of its first statement and has no idle timeout. */
const SNAPSHOT = 'begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0';

/** Each statement also sees what other transactions committed before the statement began. */
const BEGIN = 'begin isolation level read committed';

const TRIES = 3;

/** Opens connections to a database, whose schema must be up to date. To cut the connections later, pass `sockets`. */
export function connectPostgres(
  url: string,
  purpose: Purpose,
  sockets = createSockets(),
  name?: string,
): SnapshotStorage {
  const pool = createPool(url, purpose, sockets, name);
  // Do not prepare the API's reads: lists have thousands of statements, and the best plan depends on the filter values.
  const preparesReads = purpose === 'engine';
  const underWay = new Set<Promise<unknown>>();
  /** Keeps the pool open until the work has ended, so that the work still gets the database's response. */
  async function kept<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }
  return {
    read: (work) => kept(read(pool, preparesReads, work)),
    readSnapshot: (work) => kept(write(pool, { prepares: preparesReads, opening: SNAPSHOT }, work)),
    write: (work) => kept(write(pool, { prepares: true, opening: BEGIN }, work)),
    writeAtOnce: (statementsFor) => kept(writeAtOnce(pool, statementsFor)),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}

/** Runs reads over one connection. Statements that do not wait for each other are sent together. */
async function read<Result>(pool: pg.Pool, prepares: boolean, work: (queries: Queries) => Promise<Result>) {
  try {
    return await withClient(pool, (client) => work(connectionOf(client, prepares).queries));
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error, 'unchanged') : error;
  }
}

const write = <Result>(
  pool: pg.Pool,
  options: Omit<TransactionOptions, 'onCommit'>,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> =>
  untilDecided((onCommit) => withClient(pool, (client) => inTransaction(client, work, { ...options, onCommit })));

/** Runs one statement as a transaction, without extra round trips for `begin` and `commit`. */
async function writeAtOnce(pool: pg.Pool, statementsFor: StatementsFor): Promise<unknown[]> {
  return await untilDecided((onCommit) =>
    withClient(pool, async (client) => {
      const [statement, ...others] = statementsFor('postgres');
      if (!statement || others.length > 0)
        throw new Error('On PostgreSQL, writeAtOnce requires exactly one statement.');
      const config = storedStatement(statement.sql, statement.parameters, true);
      onCommit();
      return (await client.query(config)).rows;
    }),
  );
}

/** Runs a transaction again if it conflicts with other transactions. See {@link TransactionOptions.onCommit}. */
async function untilDecided<Result>(run: (onCommit: () => void) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    let isCommitting = false;
    try {
      return await run(() => {
        isCommitting = true;
      });
    } catch (error) {
      if (!isConflict(error))
        throw isUnavailable(error) ? unavailable(error, isCommitting ? 'unknown' : 'unchanged') : error;
      if (tries === TRIES) throw unavailable(error, 'unchanged');
    }
  }
}

async function withClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isSpent(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}
