import { Cleanup } from './cleanup.ts';
import { ConfigError, type ServerConfig } from './config/config.ts';
import { openDataFolder } from './config/data-folder.ts';
import type { SeenNodes } from './delivery/gone-nodes.ts';
import type { ClockFleet } from './fleet/shared-clock.ts';
import type { Logger } from './runtime/logger.ts';
import { NewerDatabaseError } from './storage/migrate.ts';
import type { SnapshotStorage, Storage } from './storage/port.ts';
import type { Peers } from './storage/postgres/peers.ts';
import { openEngineStorage } from './storage/sqlite/engine-storage.ts';
import { openSqlite, type SqliteStorage } from './storage/sqlite/open.ts';

/** The database that the configuration names. */
export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** The same database, over connections that only the delivery engine uses. */
  engineStorage: Storage;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** The other nodes, for taking over what they leave when they die. */
  seenNodes?: SeenNodes;
  /** The other nodes, for changing the clock, which one node does at a time. */
  clockFleet?: ClockFleet;
  /** Cuts every connection to a database that does not answer any more: what waits for it fails at once. */
  cut?: () => void;
}

/** Opens the database. @throws {@link ConfigError} where it or the data folder cannot be used. */
export async function openStorage(config: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl === undefined) return await openEmbedded(config, logger);
  // The driver takes as long to load as an embedded database to open.
  const { openShared } = await import('./open-shared-storage.ts');
  return await openShared(config, config.databaseUrl, logger);
}

async function openEmbedded({ dataDir }: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  await using cleanup = new Cleanup();
  const folder = dataDir === null ? undefined : cleanup.use(openDataFolder(dataDir));
  const storage = cleanup.use(await openFile(folder?.databaseFile ?? ':memory:'));
  const threadEnded = (error: unknown) =>
    logger.error(
      { err: error },
      'the database thread of the delivery engine ended; its statements now run on the main thread',
    );
  // What is in memory is one connection's own.
  const engineStorage = folder ? cleanup.use(openEngineStorage(folder.databaseFile, storage, threadEnded)) : storage;
  const owned = cleanup.move();
  return { storage, engineStorage, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** SQLite names what is wrong with a file that is damaged, none of its own, or not to be opened; `errcode` marks its errors. */
async function openFile(file: string): Promise<SqliteStorage> {
  try {
    return await openSqlite(file);
  } catch (error) {
    const isTold = error instanceof NewerDatabaseError || (error instanceof Error && 'errcode' in error);
    if (!isTold) throw error;
    throw new ConfigError(`Cannot open the database ${file}: ${error.message}.`, { cause: error });
  }
}
