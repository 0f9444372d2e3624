import type { Storage } from '../../src/storage/port.ts';
import { isPostgresUrl } from '../../src/storage/postgres/url.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openPostgres } from '../support/open-postgres.ts';

const READING_MAX_MS = 600_000;

/** Opens the database of a crash test: PostgreSQL by its URL, or an SQLite file. Reading all of it may take minutes. */
export async function openDatabase(database: string): Promise<Storage> {
  if (!isPostgresUrl(database)) return await openSqlite(database);
  const url = new URL(database);
  for (const limit of ['statement_timeout', 'query_timeout']) url.searchParams.set(limit, String(READING_MAX_MS));
  return await openPostgres(url.href);
}
