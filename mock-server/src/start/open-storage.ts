import { ConfigError, type ServerConfig } from '../config/config.ts';
import { openDataFolder } from '../config/data-folder.ts';
import { Cleanup } from '../runtime/cleanup.ts';
import type { Logger } from '../runtime/logger.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import { openEngineStorage } from '../storage/sqlite/engine-storage.ts';
import { openSqlite, type SqliteStorage } from '../storage/sqlite/open.ts';
import type { OpenedStorage } from './open-shared-storage.ts';

export async function openStorage(config: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  if (config.databaseUrl === undefined) return await openEmbedded(config, logger);
  // Import only here: loading the PostgreSQL driver takes as long as opening an embedded database.
  const { openShared } = await import('./open-shared-storage.ts');
  return await openShared(config, config.databaseUrl, logger);
}

async function openEmbedded({ dataDir }: ServerConfig, logger: Logger): Promise<OpenedStorage> {
  await using cleanup = new Cleanup();
  const folder = dataDir === null ? undefined : cleanup.use(openDataFolder(dataDir));
  const storage = cleanup.use(await openFile(folder?.databaseFile ?? ':memory:', logger));
  const threadEnded = (of: string) => (error: unknown) =>
    logger.error({ err: error }, `the database thread of ${of} ended; its statements now run on the main thread`);
  // A database in memory has only one connection, so the engine and the lifecycle also use `storage`.
  const engineStorage = folder
    ? cleanup.use(openEngineStorage(folder.databaseFile, storage, threadEnded('the delivery engine')))
    : storage;
  const lifecycleStorage = folder
    ? cleanup.use(openEngineStorage(folder.databaseFile, withoutCheckpoints(storage), threadEnded('the lifecycle')))
    : storage;
  const owned = cleanup.move();
  const { check } = storage;
  return { storage, engineStorage, lifecycleStorage, check, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** A SQLite error has an `errcode`, and its message tells users what is wrong, such as a damaged file. */
async function openFile(file: string, logger: Logger): Promise<SqliteStorage> {
  try {
    return await openSqlite(file, { warn: (message, error) => logger.error({ err: error }, message) });
  } catch (error) {
    const isTold = error instanceof NewerDatabaseError || (error instanceof Error && 'errcode' in error);
    if (!isTold) throw error;
    throw new ConfigError(`Cannot open the database ${file}: ${error.message}.`, { cause: error });
  }
}

/** Returns a storage that makes no checkpoints, because only the delivery engine's thread makes checkpoints. */
const withoutCheckpoints = (storage: SqliteStorage): SqliteStorage => ({
  ...storage,
  checkpoints: { ...storage.checkpoints, runElsewhere: () => {} },
});
