import { ConfigError, type ServerConfig } from '../config/config.ts';
import { openDataFolder } from '../config/data-folder.ts';
import type { SeenNodes } from '../fleet/seen-nodes.ts';
import type { Logger } from '../runtime/logger.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import { openOnUse } from '../storage/open-on-use.ts';
import type { SnapshotStorage, Storage, StorageUnavailableError } from '../storage/port.ts';
import type { Peers } from '../storage/postgres/peers.ts';
import { openEngineStorage } from '../storage/sqlite/engine-storage.ts';
import { openSqlite, type SqliteStorage } from '../storage/sqlite/open.ts';
import type { ClockFleet } from '../time/shared-clock.ts';
import { Cleanup } from './cleanup.ts';

/** The configured database. */
export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** The same database, with connections only for the delivery engine. */
  engineStorage: Storage;
  /** The same database, with connections for evaluations and imports. They are opened on first use. */
  lifecycleStorage: Storage;
  /** @throws {@link StorageUnavailableError} after the disk failed. Nothing is written until the next start. */
  check?: () => void;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** All nodes on a PostgreSQL database, including this one. */
  seenNodes?: SeenNodes;
  /** The other nodes, for changing the clock. One node at a time may change it. */
  clockFleet?: ClockFleet;
  /** Closes all connections to a database that no longer answers. Everything that waits for it fails at once. */
  cut?: () => void;
}

/** Opens the database. @throws {@link ConfigError} if the database or the data folder cannot be used. */
export async function openStorage(config: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl === undefined) return await openEmbedded(config, logger);
  // Loading the driver takes as long as opening an embedded database.
  const { openShared } = await import('./open-shared-storage.ts');
  return await openShared(config, config.databaseUrl, logger);
}

async function openEmbedded({ dataDir }: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  await using cleanup = new Cleanup();
  const folder = dataDir === null ? undefined : cleanup.use(openDataFolder(dataDir));
  const storage = cleanup.use(await openFile(folder?.databaseFile ?? ':memory:', logger));
  const threadEnded = (of: string) => (error: unknown) =>
    logger.error({ err: error }, `the database thread of ${of} ended; its statements now run on the main thread`);
  // A database in memory has only one connection.
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

/**
 * SQLite's message says whether a file is damaged, not a database or cannot be opened. Its errors have an `errcode`.
 */
async function openFile(file: string, logger: Logger): Promise<SqliteStorage> {
  try {
    return await openSqlite(file, { warn: (message, error) => logger.error({ err: error }, message) });
  } catch (error) {
    const isTold = error instanceof NewerDatabaseError || (error instanceof Error && 'errcode' in error);
    if (!isTold) throw error;
    throw new ConfigError(`Cannot open the database ${file}: ${error.message}.`, { cause: error });
  }
}

/** Only the delivery engine's thread makes checkpoints. */
const withoutCheckpoints = (storage: SqliteStorage): SqliteStorage => ({
  ...storage,
  checkpoints: { ...storage.checkpoints, runElsewhere: () => {} },
});
