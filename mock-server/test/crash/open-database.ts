import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { isPostgresUrl } from '../../src/storage/postgres/url.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

/** Opens what a crash test worked on: a PostgreSQL by its URL, or an SQLite file. */
export function openDatabase(database: string): Promise<Storage> {
  return isPostgresUrl(database) ? openPostgres(database) : openSqlite(database);
}
