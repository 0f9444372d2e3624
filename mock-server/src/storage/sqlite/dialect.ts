import type { DatabaseSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';
import { createStatements, type StatementWatch } from './statements.ts';

/** Kysely's SQLite dialect over the runtime's own SQLite. */
export function createSqliteDialect(database: DatabaseSync, watch?: StatementWatch): SqliteDialect {
  return new SqliteDialect({ database: createStatements(database, watch) });
}
