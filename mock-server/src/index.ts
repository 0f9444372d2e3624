import { AsyncLocalStorage } from 'node:async_hooks';
import { addAbortListener } from 'node:events';
import { ConfigError, checkOptionNames, DEFAULT_CONFIG, SERVER_OPTIONS, type ServerConfig } from './config/config.ts';
import { checkExposure, checkProtection } from './config/exposure.ts';
import { parseOrigin, parsePublicUrl } from './config/urls.ts';
import { createContext } from './context.ts';
import { createApp } from './http/app.ts';
import { LINGER_MS } from './http/connections.ts';
import { checkPort, type Listener, listen } from './start/listen.ts';
import type { IssuedCredential } from './storage/seed/issued-credential.ts';

export { ConfigError, DEFAULT_CONFIG, type IssuedCredential, type ServerConfig };

/** A running server. `await using` closes the server. */
export interface Server extends AsyncDisposable {
  /** The base URL of the API, without a trailing slash: for example, `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** The seed's credentials whose plain text this server knows: the seed contains it, or the server generated it. */
  credentials: readonly IssuedCredential[];
  /** The number of deliveries that this server is sending, or whose results the server has not stored yet. */
  deliveriesInFlight(): number;
  /** Lets the process exit while the server is open. Running requests and attempts finish before the process exits. */
  unref(): void;
  /**
   * Stops accepting requests, starts no more attempts, waits up to 10 s for running requests and attempts, and closes
   * the database.
   *
   * @param options - `lingerMs`: how long the server still accepts connections and keeps idle connections open. During
   *   this time, late requests get a 503 instead of a network error. Default: 0.
   */
  close(options?: { lingerMs?: number }): Promise<void>;
  /**
   * Resolves when the server has closed. The value is `undefined` after a call to {@link close}, or an error if the
   * server closed itself because a newer version has migrated the shared database. Rejects if closing fails.
   */
  closed: Promise<Error | undefined>;
}

/**
 * Starts a server: the API, its delivery engine and its database.
 *
 * @param options - Changes to {@link DEFAULT_CONFIG}. `dataDir: null` stores nothing on disk.
 * @throws {@link ConfigError} if an option, the data folder, the master key, the seed or the port cannot be used.
 */
export async function startServer(options: Partial<ServerConfig> = {}): Promise<Server> {
  const config = configOf(options);
  checkExposure(config);
  await checkPort(config);
  const context = await createContext(config);
  let listener: Listener;
  try {
    listener = await listen(config, createApp(context.services).fetch, context.services);
  } catch (error) {
    await context[Symbol.asyncDispose]();
    throw error;
  }
  const { url, port } = listener;
  context.listeningAt({ url, port });

  let reason: Error | undefined;
  const closed = Promise.withResolvers<Error | undefined>();
  // Callers may ignore `closed`, so its rejection must not end the process.
  closed.promise.catch(() => {});
  let closing: Promise<void> | undefined;
  const close: Server['close'] = ({ lingerMs = 0 } = {}) => {
    context.drain();
    if (!closing) {
      const ended = listener.close(lingerMs).finally(() => context[Symbol.asyncDispose]());
      closing = keepingAlive(ended);
      closing.then(() => closed.resolve(reason), closed.reject);
    }
    return closing;
  };
  void context.outdated.then((error) => {
    reason = error;
    // Ignore an error from `close`, because `closed` rejects with the same error.
    close({ lingerMs: LINGER_MS }).catch(() => {});
  });
  return {
    url,
    port,
    credentials: context.credentials,
    deliveriesInFlight: context.deliveriesInFlight,
    unref: listener.unref,
    close,
    closed: closed.promise,
    [Symbol.asyncDispose]: () => close(),
  };
}

async function keepingAlive<Result>(work: Promise<Result>): Promise<Result> {
  const hold = setInterval(() => {}, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}

/** A server without a socket. `await using` closes the server. */
export interface ServerHandler extends AsyncDisposable {
  /** Responds to a request. The request's URL may have any origin. */
  fetch(request: Request): Promise<Response>;
  credentials: readonly IssuedCredential[];
  close(): Promise<void>;
}

/**
 * Creates a server that responds through a function. The whole service runs in the caller's process, including
 * deliveries.
 *
 * @param options - The options of {@link startServer}. `publicUrl` is the base of the URLs in responses (default: the
 *   origin of the request). If `send` is set, deliveries go to this function instead of the network.
 * @throws {@link ConfigError} if an option, the data folder, the master key or the seed cannot be used.
 */
export async function createHandler({
  send,
  ...options
}: Partial<ServerConfig> & {
  send?: ((request: Request) => Promise<Response>) | undefined;
} = {}): Promise<ServerHandler> {
  const origins = new AsyncLocalStorage<string>();
  const requestOrigin = () => origins.getStore();
  const context = await createContext(configOf(options), Date.now, { send, requestOrigin });
  const app = createApp(context.services);
  const closed = new AbortController();
  async function close(): Promise<void> {
    context.drain();
    try {
      await keepingAlive(Promise.resolve(context[Symbol.asyncDispose]()));
    } finally {
      closed.abort(new Error('The service was closed before it had received the whole request.'));
    }
  }
  return {
    async fetch(request) {
      request.signal.throwIfAborted();
      const { origin } = new URL(request.url);
      const ended = Promise.withResolvers<never>();
      const endOn = (signal: AbortSignal) => addAbortListener(signal, () => ended.reject(signal.reason));
      using _aborted = endOn(request.signal);
      // A closed server responds with 503.
      using _closed = closed.signal.aborted ? undefined : endOn(closed.signal);
      const response = origins.run(origin, () => app.fetch(request));
      return await keepingAlive(Promise.race([response, ended.promise]));
    },
    credentials: context.credentials,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function configOf(options: Partial<ServerConfig>): ServerConfig {
  checkOptionNames(options, SERVER_OPTIONS);
  const { publicUrl, cors = [] } = options;
  checkProtection(options);
  cors.forEach(parseOrigin);
  return {
    ...DEFAULT_CONFIG,
    ...options,
    publicUrl: publicUrl === undefined ? undefined : parsePublicUrl(publicUrl),
  };
}
