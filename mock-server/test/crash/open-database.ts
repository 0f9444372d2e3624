import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

/** Opens what the nodes of a crash test work on: a PostgreSQL by its URL, or an SQLite file. */
export function openDatabase(database: string): Promise<Storage> {
  return database.startsWith('postgres:') ? openPostgres(database, 'engine') : openSqlite(database);
}
