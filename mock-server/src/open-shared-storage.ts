import { ConfigError, type ServerConfig } from './config/config.ts';
import type { OpenedStorage } from './open-storage.ts';
import type { Logger } from './runtime/logger.ts';
import { SessionNeededError, StorageUnavailableError } from './storage/port.ts';
import { connectPostgres } from './storage/postgres/open.ts';
import { joinPeers } from './storage/postgres/peers.ts';
import { prepareDatabase, UnsuitableDatabaseError } from './storage/postgres/prepare.ts';
import { createSockets } from './storage/postgres/sockets.ts';
import { takeTurn } from './storage/postgres/turn.ts';
import { unheardPeers } from './storage/postgres/unheard-peers.ts';
import { isPostgresUrl } from './storage/postgres/url.ts';

/** How long, when a server closes, the end of its connections may wait for what is under way over them. */
const END_MAX_MS = 2_000;

const SESSION_NEEDED =
  'This server reaches its database through a connection pooler. To move the clock or to reset the data, connect it to PostgreSQL directly.';

/** Opens a PostgreSQL database. @throws {@link ConfigError} where it cannot be used, or its master key would be kept nowhere. */
export async function openShared(
  { dataDir, masterKey }: ServerConfig,
  url: string,
  logger: Logger,
): Promise<OpenedStorage> {
  if (!isPostgresUrl(url)) {
    throw new ConfigError('The database is named by a URL such as postgres://user:password@host:5432/name.');
  }
  if (masterKey === undefined && dataDir === null) {
    throw new ConfigError('A PostgreSQL database is kept, so its master key must be: give SVC_MASTER_KEY, or --data.');
  }
  await using cleanup = new AsyncDisposableStack();
  const sockets = createSockets();
  try {
    const sessions = await prepareDatabase(url);
    if (sessions === 'shared') {
      logger.info('the database is behind a connection pooler: what other servers change is seen within a second');
    }
    const storage = cleanup.use(connectPostgres(url, 'api', sockets, sessions));
    const engineStorage = cleanup.use(connectPostgres(url, 'engine', sockets, sessions));
    const warn = (error: unknown) => logger.warn({ err: error }, 'the other servers on the database cannot be heard');
    const peers = sessions === 'own' ? cleanup.use(await joinPeers(url, warn, sockets)) : unheardPeers;
    const owned = cleanup.move();
    return {
      storage,
      engineStorage,
      peers,
      takeTurn: () => (sessions === 'own' ? takeTurn(url) : Promise.reject(new SessionNeededError(SESSION_NEEDED))),
      cut: sockets.cut,
      async [Symbol.asyncDispose]() {
        const timeout = setTimeout(sockets.cut, END_MAX_MS);
        await owned.disposeAsync();
        clearTimeout(timeout);
      },
    };
  } catch (error) {
    const expected = error instanceof StorageUnavailableError || error instanceof UnsuitableDatabaseError;
    throw expected ? new ConfigError(error.message, { cause: error }) : error;
  }
}
