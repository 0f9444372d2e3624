import type { Storage } from '../../src/storage/port.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { isPostgresUrl } from '../../src/storage/postgres/url.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

/** Opens what a crash test worked on: a PostgreSQL by its URL, or an SQLite file. Reading all of it may take minutes. */
export async function openDatabase(database: string): Promise<Storage> {
  if (!isPostgresUrl(database)) return await openSqlite(database);
  const url = new URL(database);
  url.searchParams.set('statement_timeout', '0');
  // The client waits for any statement for 15 s at most, unless the URL says otherwise.
  url.searchParams.set('query_timeout', '0');
  return await openPostgres(url.href);
}
