import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { migrateToLatest } from '../migrate.ts';
import { type Queries, type Storage, StorageUnavailableError } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { createSqliteDialect } from './dialect.ts';
import { createTurns } from './turns.ts';

/**
 * Opens the embedded database and brings its schema up to date.
 *
 * @param file - Path of the database file, or `:memory:`.
 */
export async function openSqlite(file: string): Promise<Storage> {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  // FULL: a commit is on disk when it returns, also if the power goes right behind it.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;',
  );
  // A delivery touches the same few pages at each step. With room for them in memory and a checkpoint only every
  // 32 MiB of log, each is copied into the file once for many changes: commits under load take half the time.
  database.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8000;');

  const queries: Queries = new Kysely<Database>({ dialect: createSqliteDialect(database) });
  const turns = createTurns({
    begin: () => database.exec('BEGIN IMMEDIATE'),
    commit: () => database.exec('COMMIT'),
    rollback: () => {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    },
    isOpen: () => database.isOpen && database.isTransaction,
    savepoint: () => database.exec('SAVEPOINT work'),
    releaseSavepoint: () => database.exec('RELEASE work'),
    rollbackToSavepoint: () => database.exec('ROLLBACK TO work; RELEASE work'),
  });
  await migrateToLatest(queries);

  return {
    read: (work) => turns.take('read', () => work(queries)).catch(rethrow),
    write: (work) => turns.take('write', () => work(queries)).catch(rethrow),
    async [Symbol.asyncDispose]() {
      await turns.idle();
      await queries.destroy();
    },
  };
}

/** SQLITE_BUSY, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the work was fine, the disk was not. */
const UNAVAILABLE = new Set([5, 7, 8, 10, 13, 14]);

function rethrow(error: unknown): never {
  const code = (error as { errcode?: number }).errcode;
  if (code !== undefined && UNAVAILABLE.has(code & 0xff)) {
    throw new StorageUnavailableError(`The database cannot be used now: ${(error as Error).message}`, { cause: error });
  }
  throw error;
}
