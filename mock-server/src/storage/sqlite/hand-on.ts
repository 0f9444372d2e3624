import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';

/**
 * Creates queries that pass each statement to `run`, which executes the statement here or on another thread. The caller
 * is responsible for transactions.
 */
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
      createDriver: () => ({
        acquireConnection: async () => connection,
        init: async () => {},
        beginTransaction: async () => {},
        commitTransaction: async () => {},
        rollbackTransaction: async () => {},
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
