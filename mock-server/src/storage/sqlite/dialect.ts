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

/** Returns queries that run over a connection. Destroying these queries closes the connection. */
export function queriesOver(connection: DatabaseSync): Queries {
  const run = createStatements(connection);
  return handOn(async ({ sql, parameters }) => run(sql, parameters), {
    beginTransaction: async () => connection.exec('BEGIN'),
    commitTransaction: async () => connection.exec('COMMIT'),
    async rollbackTransaction() {
      // If a full disk has ended the transaction, a rollback would fail and hide the original error.
      if (connection.isTransaction) connection.exec('ROLLBACK');
    },
    destroy: async () => connection.close(),
  });
}

/** Returns queries that pass statements to `run`. Without `driver`, the caller begins and ends transactions itself. */
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

/** By default, Kysely runs migrations on SQLite without a transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
