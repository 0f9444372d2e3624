import type { Storage } from '../../src/storage/port.ts';
import { connectPostgres, openPostgres } from '../../src/storage/postgres/open.ts';
import { openEngineStorage } from '../../src/storage/sqlite/engine-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';

const isPostgresUrl = (database: string) => database.startsWith('postgres:');

/** Opens what a crash test works on: a PostgreSQL by its URL, or an SQLite file. */
export function openDatabase(database: string): Promise<Storage> {
  return isPostgresUrl(database) ? openPostgres(database) : openSqlite(database);
}

/** Opens it as a server does: for what it accepts, and for its engine. */
export async function openForNode(database: string): Promise<{ storage: Storage; engineStorage: Storage }> {
  if (isPostgresUrl(database)) {
    return { storage: await openPostgres(database), engineStorage: connectPostgres(database, 'engine') };
  }
  const storage = await openSqlite(database);
  const engineStorage = openEngineStorage(database, storage, (reason) => {
    throw reason;
  });
  return { storage, engineStorage };
}
