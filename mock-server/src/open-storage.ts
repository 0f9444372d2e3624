import { ConfigError, type ServerConfig } from './config/config.ts';
import { makeDataFolder, openDataFolder } from './config/data-folder.ts';
import { loadMasterKey } from './config/master-key.ts';
import type { MasterKey } from './domain/master-key.ts';
import type { Logger } from './runtime/logger.ts';
import { type Storage, StorageUnavailableError } from './storage/port.ts';
import { connectPostgres, openPostgres } from './storage/postgres/open.ts';
import { joinPeers, type Peers } from './storage/postgres/peers.ts';
import { UnsuitableDatabaseError } from './storage/postgres/prepare.ts';
import { type Turn, takeTurn } from './storage/postgres/turn.ts';
import { isPostgresUrl } from './storage/postgres/url.ts';
import { openSqlite } from './storage/sqlite/open.ts';

/** The database that the configuration names, and the key that goes with it. */
export interface OpenedStorage extends AsyncDisposable {
  storage: Storage;
  /** The same database, over connections that only the delivery engine uses. */
  engineStorage: Storage;
  masterKey: MasterKey;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** Waits for this node's turn among them. */
  takeTurn?: () => Promise<Turn>;
}

/** Opens the database. @throws {@link ConfigError} where it, the data folder or the master key cannot be used. */
export async function openStorage(config: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl === undefined) return await openEmbedded(config);
  return await openShared(config, config.databaseUrl, logger);
}

async function openEmbedded({ dataDir, masterKey }: ServerConfig): Promise<OpenedStorage> {
  await using cleanup = new AsyncDisposableStack();
  const folder = dataDir === null ? undefined : cleanup.use(openDataFolder(dataDir));
  const key = loadMasterKey(masterKey, folder?.masterKeyFile);
  const storage = cleanup.use(await openFile(folder?.databaseFile ?? ':memory:'));
  const owned = cleanup.move();
  return { storage, engineStorage: storage, masterKey: key, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** SQLite names what is wrong with a file that is damaged, none of its own, or not to be opened; `errcode` marks its errors. */
async function openFile(file: string): Promise<Storage> {
  try {
    return await openSqlite(file);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new ConfigError(`The database ${file} cannot be opened: ${error.message}.`, { cause: error });
  }
}

async function openShared({ dataDir, masterKey }: ServerConfig, url: string, logger: Logger): Promise<OpenedStorage> {
  if (!isPostgresUrl(url)) {
    throw new ConfigError('The database is named by a URL such as postgres://user:password@host:5432/name.');
  }
  if (masterKey === undefined && dataDir === null) {
    throw new ConfigError('A PostgreSQL database is kept, so its master key must be: give SVC_MASTER_KEY, or --data.');
  }
  const key = loadMasterKey(masterKey, dataDir === null ? undefined : makeDataFolder(dataDir).masterKeyFile);
  await using cleanup = new AsyncDisposableStack();
  try {
    const storage = cleanup.use(await openPostgres(url));
    const engineStorage = cleanup.use(connectPostgres(url, 'engine'));
    const peers = cleanup.use(
      await joinPeers(url, (error) => logger.warn({ err: error }, 'the other servers on the database cannot be heard')),
    );
    const owned = cleanup.move();
    return {
      storage,
      engineStorage,
      masterKey: key,
      peers,
      takeTurn: () => takeTurn(url),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    const expected = error instanceof StorageUnavailableError || error instanceof UnsuitableDatabaseError;
    throw expected ? new ConfigError(error.message, { cause: error }) : error;
  }
}
