import { Kysely } from 'kysely';
import type pg from 'pg';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createClientDialect } from './dialect.ts';
import { isSpent } from './trouble.ts';

/** A commit that the database answered with a rollback: a statement had failed that nobody waited for. */
class TransactionAbortedError extends Error {
  override readonly name = 'TransactionAbortedError';
}

/** Made once for each connection: to be built anew for every transaction costs more than one. */
const queriesOn = new WeakMap<pg.PoolClient, Queries>();

/**
 * Statements over one connection of a pool.
 *
 * @param prepares - As in `createClientDialect`.
 */
export function queriesOver(client: pg.PoolClient, prepares: boolean): Queries {
  const known = queriesOn.get(client);
  if (known) return known;
  const made: Queries = new Kysely<Database>({ dialect: createClientDialect(client, prepares) });
  queriesOn.set(client, made);
  return made;
}

/**
 * Runs one transaction (READ COMMITTED). Its beginning is sent together with its first statement, and statements that
 * the work does not wait for one by one go out together: what counts near the database's limit is the exchanges.
 *
 * @param options.prepares - As in `createClientDialect`.
 * @param options.onCommit - Called right before the commit is sent: from then on only its answer tells whether it took place.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (queries: Queries) => Promise<Result>,
  { prepares, onCommit }: { prepares: boolean; onCommit(): void },
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    const begun = client.query('begin isolation level read committed');
    // Where it fails, so does the first statement; and it is waited for below.
    begun.catch(() => {});
    const result = await work(queriesOver(client, prepares));
    await begun;
    onCommit();
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new TransactionAbortedError('The transaction was aborted.');
    return result;
  } catch (error) {
    broken = isSpent(error);
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
