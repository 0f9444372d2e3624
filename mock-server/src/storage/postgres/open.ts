import type pg from 'pg';
import type { Queries, SnapshotStorage, StatementsFor } from '../port.ts';
import { storedStatement } from './dialect.ts';
import { createPool } from './pool.ts';
import type { Purpose } from './session-settings.ts';
import { createSockets } from './sockets.ts';
import { BEGIN, inTransaction, queriesOver, type TransactionOptions } from './transaction.ts';
import { isConflict, isSpent, isUnavailable, unavailable } from './trouble.ts';

/**
 * Begins a transaction that sees the database as of its first statement. The transaction has no idle timeout, because
 * reading may take a long time.
 */
const SNAPSHOT = [
  'begin isolation level repeatable read read only',
  'set local idle_in_transaction_session_timeout = 0',
];

/** The maximum number of times to run a transaction that conflicts with other transactions. */
const TRIES = 3;

/**
 * Opens a database whose schema is up to date, with a separate pool of connections. Any number of nodes may share the
 * database.
 *
 * @param purpose - `engine` opens connections for the delivery engine's statements.
 * @param sockets - Creates the sockets of the connections, for a caller that may have to cut the connections.
 * @param name - The name of the connections.
 */
export function connectPostgres(
  url: string,
  purpose: Purpose,
  sockets = createSockets(),
  name?: string,
): SnapshotStorage {
  const pool = createPool(url, purpose, sockets, name);
  // Do not prepare the API's reads. The filters of lists result in thousands of different statements, and each list
  // needs a plan for its own values. The number of other statements is small.
  const preparesReads = purpose === 'engine';
  const underWay = new Set<Promise<unknown>>();
  /**
   * Keeps the pool open until the work has ended, so that work that started before the close still gets its response.
   */
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
    write: (work) => kept(write(pool, { prepares: true, opening: [BEGIN] }, work)),
    writeAtOnce: (statementsFor) => kept(writeAtOnce(pool, statementsFor)),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}

/** Runs reads over one connection. Statements that do not wait for each other are sent together. */
async function read<Result>(
  pool: pg.Pool,
  prepares: boolean,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  let client: pg.PoolClient | undefined;
  let isBroken = false;
  try {
    client = await pool.connect();
    return await work(queriesOver(client, prepares));
  } catch (error) {
    isBroken = isSpent(error);
    throw isUnavailable(error) ? unavailable(error, 'unchanged') : error;
  } finally {
    client?.release(isBroken);
  }
}

async function write<Result>(
  pool: pg.Pool,
  options: TransactionOptions,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    let committing = false;
    try {
      return await inTransaction(pool, work, {
        ...options,
        onCommit: () => {
          committing = true;
        },
      });
    } catch (error) {
      if (isConflict(error)) {
        if (tries < TRIES) continue;
        throw unavailable(error, 'unchanged');
      }
      // Once the commit has been sent, only its response shows whether it was executed.
      throw isUnavailable(error) ? unavailable(error, committing ? 'unknown' : 'unchanged') : error;
    }
  }
}

/** Runs one statement as a transaction, without extra round trips for `begin` and `commit`. */
async function writeAtOnce(pool: pg.Pool, statementsFor: StatementsFor): Promise<unknown[]> {
  const [statement, ...others] = statementsFor('postgres');
  if (!statement || others.length > 0) throw new Error('On PostgreSQL, writeAtOnce requires exactly one statement.');
  for (let tries = 1; ; tries++) {
    let client: pg.PoolClient | undefined;
    let isBroken = false;
    try {
      client = await pool.connect();
      const { rows } = await client.query(storedStatement(statement.sql, statement.parameters, true));
      return rows;
    } catch (error) {
      isBroken = isSpent(error);
      if (isConflict(error) && tries < TRIES) continue;
      // Once the statement has been sent, only its response shows whether it was executed.
      throw isUnavailable(error) || isConflict(error)
        ? unavailable(error, client && !isConflict(error) ? 'unknown' : 'unchanged')
        : error;
    } finally {
      client?.release(isBroken);
    }
  }
}
