import { ConfigError, type ServerConfig } from './config/config.ts';
import { makeDataFolder, openDataFolder } from './config/data-folder.ts';
import { loadMasterKey } from './config/master-key.ts';
import type { MasterKey } from './domain/master-key.ts';
import { type Storage, StorageUnavailableError } from './storage/port.ts';
import { openPostgres } from './storage/postgres/open.ts';
import { UnsuitableDatabaseError } from './storage/postgres/prepare.ts';
import { isPostgresUrl } from './storage/postgres/url.ts';
import { openSqlite } from './storage/sqlite/open.ts';

/** The database that the configuration names, and the key that goes with it. */
export interface OpenedStorage extends AsyncDisposable {
  storage: Storage;
  masterKey: MasterKey;
}

/** Opens the database. @throws {@link ConfigError} where it, the data folder or the master key cannot be used. */
export async function openStorage(config: ServerConfig): Promise<OpenedStorage> {
  return config.databaseUrl === undefined ? await openEmbedded(config) : await openShared(config, config.databaseUrl);
}

async function openEmbedded({ dataDir, masterKey }: ServerConfig): Promise<OpenedStorage> {
  await using cleanup = new AsyncDisposableStack();
  const folder = dataDir === null ? undefined : cleanup.use(openDataFolder(dataDir));
  const key = loadMasterKey(masterKey, folder?.masterKeyFile);
  const storage = cleanup.use(await openSqlite(folder?.databaseFile ?? ':memory:'));
  const owned = cleanup.move();
  return { storage, masterKey: key, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openShared({ dataDir, masterKey }: ServerConfig, url: string): Promise<OpenedStorage> {
  if (!isPostgresUrl(url)) {
    throw new ConfigError('The database is named by a URL such as postgres://user:password@host:5432/name.');
  }
  if (masterKey === undefined && dataDir === null) {
    throw new ConfigError('A PostgreSQL database is kept, so its master key must be: give SVC_MASTER_KEY, or --data.');
  }
  const key = loadMasterKey(masterKey, dataDir === null ? undefined : makeDataFolder(dataDir).masterKeyFile);
  try {
    const storage = await openPostgres(url);
    return { storage, masterKey: key, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
  } catch (error) {
    const expected = error instanceof StorageUnavailableError || error instanceof UnsuitableDatabaseError;
    throw expected ? new ConfigError(error.message, { cause: error }) : error;
  }
}
