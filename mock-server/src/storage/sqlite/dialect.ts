import type { DatabaseSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';
import { type CheckStatement, createStatements } from './statements.ts';

/** Kysely's SQLite dialect over the runtime's own SQLite. */
export function createSqliteDialect(database: DatabaseSync, check?: CheckStatement): SqliteDialect {
  return new TransactionalDialect({ database: createStatements(database, check) });
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * Kysely turns this off by default. With it, all migrations run in one transaction. So if the process is killed, either
 * all of them have run or none.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
