import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { endConnection } from './connections.ts';
import { storedStatement } from './stored-statement.ts';
import { isSpent } from './trouble.ts';

interface Connection {
  prepares: boolean;
  /** Each connection keeps one instance of Kysely, because creating an instance costs more than a transaction. */
  readonly queries: Queries;
  firstFailure: unknown;
}

const connections = new WeakMap<pg.PoolClient, Connection>();

/** After a statement has failed, all later statements of its transaction fail with this SQLSTATE. */
const IN_FAILED_TRANSACTION = '25P02';

export function connectionOf(client: pg.PoolClient, prepares: boolean): Connection {
  const connection = connections.get(client) ?? newConnection(client);
  connection.prepares = prepares;
  return connection;
}

function newConnection(client: pg.PoolClient): Connection {
  const kept = {
    async query(statement: string, parameters: readonly unknown[]) {
      try {
        return await client.query(storedStatement(statement, parameters, connection.prepares));
      } catch (error) {
        connection.firstFailure ??= error;
        throw error;
      }
    },
    release: () => {},
  } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({ pool: { connect: async () => kept, end: async () => {}, options: {} } });
  const connection: Connection = {
    prepares: false,
    queries: new Kysely<Database>({ dialect }),
    firstFailure: undefined,
  };
  connections.set(client, connection);
  return connection;
}

export interface TransactionOptions {
  prepares: boolean;
  opening: string;
  /** Called before the commit is sent. From then on, only the response says whether the commit succeeded. */
  onCommit(): void;
}

/**
 * Runs one transaction. After a conflict, `untilDecided` in `open.ts` runs the transaction again.
 *
 * Statements that `work` does not await one by one are sent together, but only after `begin` has succeeded. Otherwise,
 * if `begin` failed, the database would run and commit these statements outside a transaction.
 *
 * @throws the first error of a statement, even if `work` did not await the statement or continued after the error.
 */
export async function inTransaction<Result>(
  client: pg.PoolClient,
  work: (queries: Queries) => Promise<Result>,
  { prepares, opening, onCommit }: TransactionOptions,
): Promise<Result> {
  const connection = connectionOf(client, prepares);
  connection.firstFailure = undefined;
  try {
    await client.query(opening);
    const result = await work(connection.queries);
    onCommit();
    const { command } = await client.query('commit');
    // A statement has failed, but `work` did not throw the statement's error.
    if (command !== 'COMMIT') throw connection.firstFailure;
    return result;
  } catch (error) {
    // If the rollback fails, end the connection, so that the pool replaces it.
    if (!isSpent(error)) await client.query('rollback').catch(() => void endConnection(client));
    const isFollowing = (error as { code?: unknown }).code === IN_FAILED_TRANSACTION;
    throw isFollowing ? (connection.firstFailure ?? error) : error;
  }
}
