import type { Storage } from '../../src/storage/port.ts';
import { connectPostgres, openPostgres } from '../../src/storage/postgres/open.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

const isPostgresUrl = (database: string) => database.startsWith('postgres:');

/** Opens what the nodes of a crash test work on: a PostgreSQL by its URL, or an SQLite file. */
export function openDatabase(database: string): Promise<Storage> {
  return isPostgresUrl(database) ? openPostgres(database) : openSqlite(database);
}

/** The same database for the engine, which has connections of its own on PostgreSQL. */
export function openForEngine(database: string, storage: Storage): Storage {
  return isPostgresUrl(database) ? connectPostgres(database, 'engine') : storage;
}
