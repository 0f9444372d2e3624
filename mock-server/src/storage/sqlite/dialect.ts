import type { DatabaseSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createStatements } from './statements.ts';

export function createSqliteDialect(database: DatabaseSync): SqliteDialect {
  return new TransactionalDialect(database, createStatements(database));
}

class TransactionalDialect extends SqliteDialect {
  readonly #connection: DatabaseSync;
  readonly #database: SqliteDatabase;

  constructor(connection: DatabaseSync, database: SqliteDatabase) {
    super({ database });
    this.#connection = connection;
    this.#database = database;
  }

  override createDriver(): SqliteDriver {
    return new TransactionalDriver(this.#connection, this.#database);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * Rolls back a transaction only if it is still active. A failure such as a full disk ends the transaction. Kysely would
 * then try to roll back the ended transaction, and report only the error of that rollback.
 */
class TransactionalDriver extends SqliteDriver {
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync, database: SqliteDatabase) {
    super({ database });
    this.#connection = connection;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection);
  }
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

/** Creates queries that pass each statement to `run`. The caller begins and ends transactions. */
export function handOn(run: (statement: CompiledQuery) => Promise<QueryResult<unknown>>): Queries {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(statement: CompiledQuery) => run(statement) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('Streaming of rows is not supported.');
    },
  };
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: async () => connection }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
