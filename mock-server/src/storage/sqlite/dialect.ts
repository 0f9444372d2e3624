import type { DatabaseSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createStatements } from './statements.ts';

/** Creates queries over a connection. Destroying the queries closes the connection. */
export function queriesOver(connection: DatabaseSync): Queries {
  const run = createStatements(connection);
  return handOn(async ({ sql, parameters }) => run(sql, parameters), {
    beginTransaction: async () => connection.exec('BEGIN'),
    commitTransaction: async () => connection.exec('COMMIT'),
    async rollbackTransaction() {
      // A failure such as a full disk ends the transaction. Then a rollback would fail, and its error would replace the
      // original error.
      if (connection.isTransaction) connection.exec('ROLLBACK');
    },
    destroy: async () => connection.close(),
  });
}

/**
 * Creates queries that pass each statement to `run`.
 *
 * @param driver - Begins and ends transactions. By default, the caller begins and ends transactions itself.
 */
export function handOn(
  run: (statement: CompiledQuery) => Promise<QueryResult<unknown>>,
  driver: Partial<Driver> = {},
): Queries {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(statement: CompiledQuery) => run(statement) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('Streaming of rows is not supported.');
    },
  };
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: async () => connection }, driver),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/**
 * By default, Kysely does not use transactions for migrations on SQLite. With this setting, all migrations run in one
 * transaction. Even if the process is killed, either all migrations take effect or none.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
