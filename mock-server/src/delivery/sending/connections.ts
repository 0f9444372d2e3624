import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { AddressRules } from '../../domain/receiver-address.ts';
import { createGuardedConnector } from './connector.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { type AnswerReader, readInPieces } from './read-in-pieces.ts';
import { createReadingTime, type ReadingTime } from './reading-time.ts';
import { createNameResolver } from './resolve-name.ts';

/** A handler that knows which connection its request uses. */
export interface ConnectionAware extends Dispatcher.DispatchHandler {
  /** Counts the request when it is written. Returns whether the connection carried a request before. */
  countRequest(): boolean;
  /** Counts a part of the answer's body. */
  countBody(bytes: number): void;
  /** Whether the request's connection is open. */
  isOnOpenConnection(): boolean;
}

/** Closes idle connections after this time. Most servers wait longer. */
const KEEP_ALIVE_MS = 4_000;

/** Connections to receivers. They ignore the proxy settings in the environment. */
export interface Connections {
  /** Keeps connections open, with a pool for each origin. */
  kept: Agent;
  /** Opens a new connection for each request. */
  fresh: Agent;
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
    // The attempt's own deadline comes first. This one ends a connect that hangs after it.
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
  const connecting = {
    ...options,
    factory: (origin: string | URL, poolOptions: object) =>
      new Pool(origin, {
        ...poolOptions,
        factory: (url, clientOptions: Connecting) => new AttemptClient(url, clientOptions, time),
      }),
  };
  const kept = new Agent(connecting);
  const fresh = new Agent({ ...connecting, pipelining: 0 });
  return {
    kept,
    fresh,
    async destroy() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

type Connecting = Client.Options & { connect: buildConnector.connector };

/** A single connection. It counts its requests and limits the size of each answer. */
class AttemptClient extends Client {
  #requests = 0;
  #answers: AnswerReader | undefined;

  constructor(url: URL, { connect, ...options }: Connecting, time: ReadingTime) {
    super(url, {
      ...options,
      connect: (address, callback) =>
        connect(address, (...[error, socket]) => {
          if (error) return callback(error, null);
          this.#requests = 0;
          this.#answers = readInPieces(socket, time);
          callback(null, socket);
        }),
    });
    this.on('disconnect', () => {
      this.#answers = undefined;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    Object.assign(handler, {
      countRequest: () => {
        this.#answers?.expectAnswer();
        return this.#requests++ > 0;
      },
      countBody: (bytes) => this.#answers?.addBody(bytes),
      isOnOpenConnection: () => this.#answers !== undefined,
    } satisfies Partial<ConnectionAware>);
    return super.dispatch(options, handler);
  }
}
