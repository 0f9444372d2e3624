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

/** What is kept of a connection. */
interface Session {
  /** Made once: to be built anew for every transaction costs more than one. */
  readonly queries: Queries;
  /** What failed first in the transaction that it is in. */
  firstFailure: unknown;
}

const sessions = new WeakMap<pg.PoolClient, Session>();

/** SQLSTATE of every statement behind one that failed: it says nothing of why. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * Statements over one connection of a pool.
 *
 * @param prepares - As in `createClientDialect`.
 */
export function queriesOver(client: pg.PoolClient, prepares: boolean): Queries {
  return sessionOver(client, prepares).queries;
}

function sessionOver(client: pg.PoolClient, prepares: boolean): Session {
  const known = sessions.get(client);
  if (known) return known;
  const dialect = createClientDialect(client, prepares, (error) => {
    made.firstFailure ??= error;
  });
  const made: Session = { queries: new Kysely<Database>({ dialect }), firstFailure: undefined };
  sessions.set(client, made);
  return made;
}

/** How transactions run. */
export interface TransactionOptions {
  /** As in `createClientDialect`. */
  prepares: boolean;
  /** The statements that begin it. */
  opening: readonly string[];
  /** Called right before the commit is sent: from then on only its answer tells whether it took place. */
  onCommit?(): void;
}

/**
 * Runs one transaction. Statements that the work does not wait for one by one are sent together. None is sent before the
 * beginning is answered: if that failed, each would take place by itself.
 *
 * @throws what failed first, if the work did not wait for it or went on.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (queries: Queries) => Promise<Result>,
  { prepares, opening, onCommit }: TransactionOptions,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  const session = sessionOver(client, prepares);
  session.firstFailure = undefined;
  try {
    await client.query(opening.join('; ')).catch((error: unknown) => {
      broken = true;
      throw error;
    });
    const result = await work(session.queries);
    onCommit?.();
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
    const isFollowing =
      error instanceof TransactionAbortedError || (error as { code?: unknown }).code === IN_FAILED_TRANSACTION;
    throw isFollowing ? (session.firstFailure ?? error) : error;
  } finally {
    client.release(broken);
  }
}
