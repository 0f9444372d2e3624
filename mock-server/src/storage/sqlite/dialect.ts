import type { DatabaseSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';
import { type CheckStatement, createStatements } from './statements.ts';

/** Kysely's SQLite dialect over the runtime's own SQLite. */
export function createSqliteDialect(database: DatabaseSync, check?: CheckStatement): SqliteDialect {
  return new SqliteDialect({ database: createStatements(database, check) });
}
