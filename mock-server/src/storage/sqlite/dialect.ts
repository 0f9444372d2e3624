import type { DatabaseSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';
import { type CheckStatement, createStatements } from './statements.ts';

/** Kysely's SQLite dialect over the SQLite that is built into Node. */
export function createSqliteDialect(database: DatabaseSync, check?: CheckStatement): SqliteDialect {
  return new TransactionalDialect({ database: createStatements(database, check) });
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * By default, Kysely does not use transactions for migrations on SQLite. With this setting, all migrations run in one
 * transaction. So if the process is killed, either all migrations have run or none have.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
