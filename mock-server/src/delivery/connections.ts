import { Agent, Client, type Dispatcher, Pool } from 'undici';
import type { AddressRules } from '../domain/receiver-address.ts';
import { createGuardedConnector } from './connector.ts';
import { createNameResolver } from './resolve-name.ts';

/** A handler that can ask about the connection that its request goes over. */
export interface ConnectionAware extends Dispatcher.DispatchHandler {
  /** Counts the request as it is written. Tells whether another one went over the same connection before. */
  countRequest(): boolean;
  /** Whether the connection is open that the request was put on. */
  isOnOpenConnection(): boolean;
}

/** A receiver's headers that are read at all; what is kept of them is less. */
const HEADERS_READ_BYTES = 64 * 1024;
/** Idle connections are closed after this time, before most servers do it. */
const KEEP_ALIVE_MS = 4_000;

/** Connections to receivers. Nothing of it looks at the proxies that the environment names. */
export interface Connections {
  /** Keeps connections open, a pool for each origin. */
  kept: Agent;
  /** Opens a connection for each request. */
  fresh: Agent;
  /** Cuts everything off. */
  destroy(): Promise<void>;
}

export function createConnections(
  rules: AddressRules,
  timeoutMs: number,
  resolve = createNameResolver({ timeoutMs }),
): Connections {
  const options: Client.Options = {
    // The attempt's own deadline comes first; this one ends what hangs on behind it.
    connect: createGuardedConnector(rules, timeoutMs + 1_000, resolve),
    allowH2: false,
    maxHeaderSize: HEADERS_READ_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  const kept = new Agent({
    ...options,
    factory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, factory: (url, clientOptions) => new CountingClient(url, clientOptions) }),
  });
  const fresh = new Agent({ ...options, pipelining: 0 });
  return {
    kept,
    fresh,
    async destroy() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** One connection that counts the requests that went over it since it was opened. */
class CountingClient extends Client {
  #requests = 0;
  #isOpen = false;

  constructor(url: URL, options: Client.Options) {
    super(url, options);
    this.on('connect', () => {
      this.#isOpen = true;
    });
    this.on('disconnect', () => {
      this.#isOpen = false;
      this.#requests = 0;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    Object.assign(handler, {
      countRequest: () => this.#requests++ > 0,
      isOnOpenConnection: () => this.#isOpen,
    } satisfies Partial<ConnectionAware>);
    return super.dispatch(options, handler);
  }
}
