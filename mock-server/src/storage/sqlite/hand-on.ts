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
 * Creates queries that pass each statement to `run`, which executes it or hands it on. The caller is responsible for
 * transactions.
 */
export function handOn(run: (statement: CompiledQuery) => Promise<QueryResult<unknown>>): Queries {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(statement: CompiledQuery) => run(statement) as Promise<QueryResult<Row>>,
    streamQuery: () => {
      throw new Error('Rows are not streamed.');
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
