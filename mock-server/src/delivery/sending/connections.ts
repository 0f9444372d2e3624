import { type Dispatcher, Pool } from 'undici';
import type { AddressRules } from '../../domain/receiver-address.ts';
import { createGuardedConnector } from '../../network/guarded-connector.ts';
import { LimitedClient, type LimitedClientOptions, type OwnedRequest } from '../../network/limited-client.ts';
import type { OwnAddresses } from '../../network/own-addresses.ts';
import { createReadingTime, type ReadingTime } from '../../network/parsing-time.ts';
import { createNameResolver, type ResolveName } from '../../network/resolve-name.ts';

export interface ConnectionAware extends Dispatcher.DispatchHandler {
  /** Call this when the request is written. Returns whether the connection has carried an earlier request. */
  countRequest(): boolean;
  isOnOpenConnection(): boolean;
}

/** Most receivers keep idle connections for longer, so they rarely close a connection while this server uses it. */
const KEEP_ALIVE_MS = 4_000;

/**
 * The connections to receivers, which ignore the proxy settings in the environment. An attempt that finds no idle
 * connection opens a new one, so an endpoint's limit for attempts in flight also limits the endpoint's connections.
 */
export type Connections = ReturnType<typeof createConnections>;

interface ConnectionOptions {
  resolve?: ResolveName | undefined;
  own?: OwnAddresses | undefined;
  readingTime?: ReadingTime | undefined;
}

export function createConnections(
  rules: AddressRules,
  timeoutMs: number,
  { resolve = createNameResolver({ timeoutMs }), own, readingTime = createReadingTime() }: ConnectionOptions = {},
) {
  const options: LimitedClientOptions = {
    // The attempt's limit is shorter, so this limit matters only if connecting continues after the attempt has ended.
    connect: createGuardedConnector(rules, timeoutMs + 1_000, resolve, own),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  const open = (origin: string, pipelining: number) =>
    new Pool(origin, {
      ...options,
      pipelining,
      // With HTTP/2, undici would first open a single connection, to find out whether the receiver supports HTTP/2. If
      // the TLS handshake of this connection hung, all other attempts to this origin would wait.
      allowH2: false,
      factory: (url, clientOptions: LimitedClientOptions) => new AttemptClient(url, clientOptions, readingTime),
    });
  const kept = createPools((origin) => open(origin, 1));
  const fresh = createPools((origin) => open(origin, 0));
  return {
    kept,
    /** These pools open a new connection for each request. */
    fresh,
    async destroy(): Promise<void> {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

export type Pools = ReturnType<typeof createPools>;

/**
 * Keeps a pool of connections for each origin, and closes a pool that has no connections left. So, unlike with undici's
 * `Agent`, the cost of an attempt does not grow with the number of origins.
 */
function createPools(open: (origin: string) => Pool) {
  const pools = new Map<string, Pool>();

  function openFor(origin: string): Pool {
    const pool = open(origin);
    const closeIfUnused = () => {
      const { connected, pending, running } = pool.stats;
      if (pools.get(origin) !== pool || connected + pending + running > 0) return;
      pools.delete(origin);
      pool.close().catch(() => {});
    };
    pool.on('disconnect', closeIfUnused).on('connectionError', closeIfUnused);
    pools.set(origin, pool);
    return pool;
  }

  return {
    dispatch: (options: OwnedRequest & { origin: string }, handler: Dispatcher.DispatchHandler) =>
      (pools.get(options.origin) ?? openFor(options.origin)).dispatch(options, handler),
    async destroy(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

class AttemptClient extends LimitedClient {
  #requests = 0;

  constructor(url: URL, options: LimitedClientOptions, time: ReadingTime) {
    super(url, options, time);
    this.on('connect', () => {
      this.#requests = 0;
    });
  }

  override dispatch(options: OwnedRequest, handler: Dispatcher.DispatchHandler): boolean {
    Object.assign(handler, {
      countRequest: () => this.#requests++ > 0,
      isOnOpenConnection: () => this.isConnected,
    } satisfies Partial<ConnectionAware>);
    return super.dispatch(options, handler);
  }
}
