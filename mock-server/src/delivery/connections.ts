import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { AddressRules } from '../domain/receiver-address.ts';
import { createGuardedConnector } from './connector.ts';
import { type AnswerReader, readInPieces } from './read-in-pieces.ts';
import { createReadingTime, type ReadingTime } from './reading-time.ts';
import { createNameResolver } from './resolve-name.ts';

/** A handler that knows the connection that its request uses. */
export interface ConnectionAware extends Dispatcher.DispatchHandler {
  /** Counts the request when it is written. Returns whether the connection carried another one before. */
  countRequest(): boolean;
  /** Counts a part of the answer's body. */
  countBody(bytes: number): void;
  /** Whether the connection that the request was put on is open. */
  isOnOpenConnection(): boolean;
}

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
    // undici's own limit must not come first: it does not stop the parser, and makes an error for each header after it.
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

/** One connection at a time. It counts the requests since the connection was opened, and reads answers within a budget. */
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
