import { Cleanup } from './cleanup.ts';
import { ConfigError, type ServerConfig } from './config/config.ts';
import { openDataFolder } from './config/data-folder.ts';
import type { SeenNodes } from './fleet/seen-nodes.ts';
import type { ClockFleet } from './fleet/shared-clock.ts';
import type { Logger } from './runtime/logger.ts';
import { NewerDatabaseError } from './storage/migrate.ts';
import { openOnUse } from './storage/open-on-use.ts';
import type { SnapshotStorage, Storage, StorageUnavailableError } from './storage/port.ts';
import type { Peers } from './storage/postgres/peers.ts';
import { openEngineStorage } from './storage/sqlite/engine-storage.ts';
import { openSqlite, type SqliteStorage } from './storage/sqlite/open.ts';

/** The database that the configuration names. */
export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** The same database, over connections that only the delivery engine uses. */
  engineStorage: Storage;
  /** The same database, over connections that evaluations and imports use; they are opened when they are first used. */
  lifecycleStorage: Storage;
  /** @throws {@link StorageUnavailableError} after the disk failed: nothing is written until the next start. */
  check?: () => void;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** The nodes on a PostgreSQL database, this one included. */
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
  const storage = cleanup.use(await openFile(folder?.databaseFile ?? ':memory:', logger));
  const threadEnded = (of: string) => (error: unknown) =>
    logger.error({ err: error }, `the database thread of ${of} ended; its statements now run on the main thread`);
  // What is in memory is one connection's own.
  const engineStorage = folder
    ? cleanup.use(openEngineStorage(folder.databaseFile, storage, threadEnded('the delivery engine')))
    : storage;
  const lifecycleStorage = folder
    ? cleanup.use(
        openOnUse(() =>
          openEngineStorage(folder.databaseFile, withoutCheckpoints(storage), threadEnded('the lifecycle')),
        ),
      )
    : storage;
  const owned = cleanup.move();
  const { check } = storage;
  return { storage, engineStorage, lifecycleStorage, check, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** SQLite names what is wrong with a file that is damaged, none of its own, or not to be opened; `errcode` marks its errors. */
async function openFile(file: string, logger: Logger): Promise<SqliteStorage> {
  try {
    return await openSqlite(file, { warn: (message, error) => logger.error({ err: error }, message) });
  } catch (error) {
    const isTold = error instanceof NewerDatabaseError || (error instanceof Error && 'errcode' in error);
    if (!isTold) throw error;
    throw new ConfigError(`Cannot open the database ${file}: ${error.message}.`, { cause: error });
  }
}

/** One thread makes the checkpoints of a database: the delivery engine's. */
const withoutCheckpoints = (storage: SqliteStorage): SqliteStorage => ({
  ...storage,
  checkpoints: { ...storage.checkpoints, runElsewhere: () => {} },
});
