import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { storedStatement } from './stored-statement.ts';
import { isSpent } from './trouble.ts';

/** The database responded to `commit` with a rollback: a statement had failed, but `work` did not throw its error. */
class TransactionAbortedError extends Error {
  override readonly name = 'TransactionAbortedError';
}

interface Session {
  prepares: boolean;
  /** Each connection keeps one instance of Kysely, because creating an instance costs more than a transaction. */
  readonly queries: Queries;
  firstFailure: unknown;
}

const sessions = new WeakMap<pg.PoolClient, Session>();

/** After a statement has failed, all later statements of its transaction fail with this SQLSTATE. */
const IN_FAILED_TRANSACTION = '25P02';

export function sessionOver(client: pg.PoolClient, prepares: boolean): Session {
  const session = sessions.get(client) ?? openSession(client);
  session.prepares = prepares;
  return session;
}

function openSession(client: pg.PoolClient): Session {
  const kept = {
    async query(statement: string, parameters: readonly unknown[]) {
      try {
        return await client.query(storedStatement(statement, parameters, session.prepares));
      } catch (error) {
        session.firstFailure ??= error;
        throw error;
      }
    },
    release: () => {},
  } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({ pool: { connect: async () => kept, end: async () => {}, options: {} } });
  const session: Session = { prepares: false, queries: new Kysely<Database>({ dialect }), firstFailure: undefined };
  sessions.set(client, session);
  return session;
}

export interface TransactionOptions {
  prepares: boolean;
  opening: string;
  /** Called before the commit is sent. From then on, only the response says whether the commit succeeded. */
  onCommit(): void;
}

/**
 * Statements that `work` does not await one by one are sent together, but only after `begin` has succeeded. Otherwise,
 * if `begin` failed, the database would run and commit them outside a transaction.
 *
 * @throws the first error of a statement, even if `work` did not await the statement or continued after the error.
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
    await client.query(opening).catch((error: unknown) => {
      broken = true;
      throw error;
    });
    const result = await work(session.queries);
    onCommit();
    const { command } = await client.query('commit');
    if (command !== 'COMMIT')
      throw new TransactionAbortedError(
        'The database rolled back the transaction, because one of its statements failed.',
      );
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
