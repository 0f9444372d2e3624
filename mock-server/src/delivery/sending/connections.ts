import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { AddressRules } from '../../domain/receiver-address.ts';
import { createGuardedConnector } from './connector.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { type ResponseReader, readInPieces } from './read-in-pieces.ts';
import { createReadingTime, type ReadingTime } from './reading-time.ts';
import { createNameResolver } from './resolve-name.ts';

/** A handler that knows which connection its request uses. */
export interface ConnectionAware extends Dispatcher.DispatchHandler {
  /** Counts the request when it is written. Returns whether the connection carried a request before. */
  countRequest(): boolean;
  /** Counts a part of the response's body. */
  countBody(bytes: number): void;
  /** Whether the request's connection is open. */
  isOnOpenConnection(): boolean;
}

/** Closes idle connections after this time. Most servers wait longer. */
const KEEP_ALIVE_MS = 4_000;

/** Connections to receivers. They ignore the proxy settings in the environment. */
export interface Connections {
  /** Keeps connections open. */
  kept: Pools;
  /** Opens a new connection for each request. */
  fresh: Pools;
  /** Closes all connections at once. */
  destroy(): Promise<void>;
}

export function createConnections(
  rules: AddressRules,
  timeoutMs: number,
  resolve = createNameResolver({ timeoutMs }),
  own?: OwnAddresses,
): Connections {
  const options: Client.Options = {
    // The attempt's own deadline comes first. This limit ends a connect that still hangs after the deadline.
    connect: createGuardedConnector(rules, timeoutMs + 1_000, resolve, own),
    allowH2: false,
    // undici's own limit must never apply: it does not stop the parser, and it raises an error for each further header.
    maxHeaderSize: Number.MAX_SAFE_INTEGER,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  const time = createReadingTime();
  const open = (origin: string, pipelining?: number) =>
    new Pool(origin, {
      ...options,
      ...(pipelining === undefined ? {} : { pipelining }),
      factory: (url, clientOptions: Connecting) => new AttemptClient(url, clientOptions, time),
    });
  const kept = createPools((origin) => open(origin));
  const fresh = createPools((origin) => open(origin, 0));
  return {
    kept,
    fresh,
    async destroy() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** Connection pools, one for each origin. */
export interface Pools {
  dispatch(options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler): boolean;
  /** Closes all connections at once. */
  destroy(): Promise<void>;
}

/**
 * A pool is closed once it has no connection. Unlike in an `Agent`, the cost does not grow with the number of origins.
 */
function createPools(open: (origin: string) => Pool): Pools {
  const pools = new Map<string, Pool>();

  function openFor(origin: string): Pool {
    const pool = open(origin);
    const closeIfUnused = () => {
      const { connected, pending, running } = pool.stats;
      if (pools.get(origin) !== pool || connected + pending + running > 0) return;
      pools.delete(origin);
      // Closing fails if the engine ends in the meantime and destroys the remaining connections.
      pool.close().catch(() => {});
    };
    pool.on('disconnect', closeIfUnused).on('connectionError', closeIfUnused);
    pools.set(origin, pool);
    return pool;
  }

  return {
    dispatch: (options, handler) => (pools.get(options.origin) ?? openFor(options.origin)).dispatch(options, handler),
    async destroy() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

type Connecting = Client.Options & { connect: buildConnector.connector };

/** A single connection, which counts its requests and limits the size of each response. */
class AttemptClient extends Client {
  #requests = 0;
  #responses: ResponseReader | undefined;

  constructor(url: URL, { connect, ...options }: Connecting, time: ReadingTime) {
    super(url, {
      ...options,
      connect: (address, callback) =>
        connect(address, (...[error, socket]) => {
          if (error) return callback(error, null);
          this.#requests = 0;
          this.#responses = readInPieces(socket, time);
          callback(null, socket);
        }),
    });
    this.on('disconnect', () => {
      this.#responses = undefined;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    Object.assign(handler, {
      countRequest: () => {
        this.#responses?.expectResponse();
        return this.#requests++ > 0;
      },
      countBody: (bytes) => this.#responses?.addBody(bytes),
      isOnOpenConnection: () => this.#responses !== undefined,
    } satisfies Partial<ConnectionAware>);
    return super.dispatch(options, handler);
  }
}
