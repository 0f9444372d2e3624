import type { DatabaseSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';
import { createStatements } from './statements.ts';

/** Kysely's SQLite dialect over the runtime's own SQLite. */
export function createSqliteDialect(database: DatabaseSync, check?: () => void): SqliteDialect {
  return new SqliteDialect({ database: createStatements(database, check) });
}
