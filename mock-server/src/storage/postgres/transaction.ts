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
 * Runs one transaction (READ COMMITTED). Statements that the work does not wait for one by one go out together. None goes
 * out before the beginning is answered: where that failed, each would take place by itself.
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
    await client.query('begin isolation level read committed').catch((error: unknown) => {
      broken = true;
      throw error;
    });
    const result = await work(queriesOver(client, prepares));
    onCommit();
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new TransactionAbortedError('The transaction was aborted.');
    return result;
  } catch (error) {
    broken ||= isSpent(error);
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
