import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseKind, Queries } from './port.ts';
import type { Database } from './schema/database.ts';

/** Runs a statement directly or passes it on. */
export type RunStatement = (statement: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Queries that pass their statements to a function. The caller is responsible for transactions. */
export function handOn(database: DatabaseKind, run: RunStatement): Queries {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(statement: CompiledQuery) => run(statement) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('Rows are not streamed.');
    },
  };
  const createDriver = () => driverOver(connection);
  return new Kysely<Database>({
    dialect:
      database === 'postgres'
        ? {
            createAdapter: () => new PostgresAdapter(),
            createDriver,
            createIntrospector: (db) => new PostgresIntrospector(db),
            createQueryCompiler: () => new PostgresQueryCompiler(),
          }
        : {
            createAdapter: () => new SqliteAdapter(),
            createDriver,
            createIntrospector: (db) => new SqliteIntrospector(db),
            createQueryCompiler: () => new SqliteQueryCompiler(),
          },
  });
}

const driverOver = (connection: DatabaseConnection): Driver => ({
  acquireConnection: async () => connection,
  init: async () => {},
  beginTransaction: async () => {},
  commitTransaction: async () => {},
  rollbackTransaction: async () => {},
  releaseConnection: async () => {},
  destroy: async () => {},
});
