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
import type { Queries } from './port.ts';
import type { Database } from './schema/database.ts';

/** Runs a statement, or has it run. */
export type RunStatement = (statement: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Queries that pass their statements to a function. The caller is responsible for transactions. */
export function handOn(database: 'postgres' | 'sqlite', run: RunStatement): Queries {
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

/** Collects the statements of some work without running them. The work sees no rows. */
export async function gather(
  database: 'postgres' | 'sqlite',
  work: (queries: Queries) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  await work(
    handOn(database, async (statement) => {
      statements.push(statement);
      return { rows: [] };
    }),
  );
  return statements;
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
