import { randomBytes } from 'node:crypto';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { createSeenNodes, type SeenNodes } from '../fleet/seen-nodes.ts';
import { Cleanup } from '../runtime/cleanup.ts';
import type { Logger } from '../runtime/logger.ts';
import { type SnapshotStorage, type Storage, StorageUnavailableError } from '../storage/port.ts';
import { isClockLocked, lockClock } from '../storage/postgres/clock-lock.ts';
import { connectionNameOf, findConnectedNodes } from '../storage/postgres/connected-nodes.ts';
import { createSockets } from '../storage/postgres/connections.ts';
import { connectPostgres } from '../storage/postgres/open.ts';
import { joinPeers, type Peers } from '../storage/postgres/peers.ts';
import { prepareDatabase, UnsuitableDatabaseError } from '../storage/postgres/prepare.ts';
import { isPostgresUrl, NO_POSTGRES_URL } from '../storage/postgres/url.ts';
import type { ClockFleet, NodeReport } from '../time/shared-clock.ts';

export interface OpenedStorage extends AsyncDisposable {
  storage: SnapshotStorage;
  /** Like `storage`, but with separate connections for the delivery engine. */
  engineStorage: Storage;
  /** Like `storage`, but with separate connections for evaluations and imports. */
  lifecycleStorage: Storage;
  /** @throws {@link StorageUnavailableError} after the disk has failed. The server must restart before it can write. */
  check?: () => void;
  /** The other nodes on a PostgreSQL database. */
  peers?: Peers;
  /** All nodes on a PostgreSQL database, including this node. */
  seenNodes?: SeenNodes;
  /** Lets one node at a time change the clock of all nodes. */
  clockFleet?: ClockFleet;
  /** Closes all connections to a database that does not respond. All calls that wait for the database fail. */
  cut?: () => void;
}

/** How long database connections may take to finish their work when a server closes. */
const END_MAX_MS = 2_000;

export async function openShared(
  { dataDir, masterKey, roles }: ServerConfig,
  url: string,
  logger: Logger,
): Promise<OpenedStorage> {
  if (!isPostgresUrl(url)) throw new ConfigError(NO_POSTGRES_URL);
  if (masterKey === undefined && dataDir === null) {
    throw new ConfigError('A PostgreSQL database needs a permanent master key: set SVC_MASTER_KEY or --data.');
  }
  await using cleanup = new Cleanup();
  const sockets = createSockets();
  try {
    await prepareDatabase(url);
    const node = randomBytes(6).toString('hex');
    const storage = cleanup.use(connectPostgres(url, 'api', sockets));
    const engineStorage = cleanup.use(connectPostgres(url, 'engine', sockets, connectionNameOf(node, roles)));
    const seenNodes = createSeenNodes(() => storage.read(findConnectedNodes));
    // This pool connects on first use.
    const lifecycleStorage = cleanup.use(connectPostgres(url, 'engine', sockets));
    const warn = (error: unknown) =>
      logger.warn({ err: error }, 'cannot receive messages from the other servers that use the database');
    const peers = cleanup.use(await joinPeers(url, warn, sockets));
    const owned = cleanup.move();
    return {
      storage,
      engineStorage,
      lifecycleStorage,
      peers,
      seenNodes,
      clockFleet: clockFleetOver(url, storage, peers, seenNodes),
      cut: sockets.cut,
      async [Symbol.asyncDispose]() {
        const timeout = setTimeout(sockets.cut, END_MAX_MS);
        await owned[Symbol.asyncDispose]();
        clearTimeout(timeout);
      },
    };
  } catch (error) {
    const expected = error instanceof StorageUnavailableError || error instanceof UnsuitableDatabaseError;
    throw expected ? new ConfigError(error.message, { cause: error }) : error;
  }
}

const clockFleetOver = (url: string, storage: Storage, peers: Peers, seenNodes: SeenNodes): ClockFleet => ({
  isClockLocked: () => storage.read(isClockLocked),
  roles: seenNodes.findRoles,
  async lockClock() {
    const lock = await lockClock(url);
    return {
      ...lock,
      async save(state, onSaved) {
        const responses = await peers.announce('clock', {
          async send(channel, payload) {
            await lock.saveClock(state, { channel, payload });
            onSaved();
          },
        });
        // Leave out nodes that have not finished starting, because they reply without a report.
        return new Map([...responses].filter((entry): entry is [string, NodeReport] => entry[1] !== null));
      },
    };
  },
});
