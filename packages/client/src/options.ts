import type { Logger } from './logger.ts';
import type { Middleware } from './middleware.ts';
import type { Fetch, Signal } from './platform.ts';
import type { Validation } from './validation.ts';

/**
 * A credential, or a function that returns it. The client calls the function on each attempt, so the credential may rotate.
 *
 * {@includeCode ../test/documented/clients.ts#rotating}
 */
export type Credential = string | (() => string | Promise<string>);

/**
 * Bounds of a call. Set each one for the whole client or for one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface Bounds {
  /** Time for one attempt in milliseconds, from the credential to the last byte of the response. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Time for a call with all its attempts and waits, in milliseconds. Default: 120,000. */
  deadlineMs?: number | undefined;
  /** Attempts after the first. Default: 2. With 0, a call sends one request. */
  maxRetries?: number | undefined;
}

/**
 * Options for one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface CallOptions extends Bounds {
  /** Ends the call with an {@link AbortedError}. The client removes its listener when the call ends. */
  signal?: Signal | undefined;
  /**
   * Headers to add. The client's own headers replace them, except `User-Agent`. With an API key, `Service-Workspace-Id`
   * throws {@link UsageError}.
   */
  headers?: Record<string, string> | undefined;
}

/**
 * Options for every client.
 *
 * {@includeCode ../test/documented/extending.ts#pace}
 */
export interface ClientOptions extends Bounds {
  /** Address of the service, for example `https://api.example.com`. A path before `/v1` is kept. Default: `SVC_BASE_URL`. */
  baseUrl?: string | undefined;
  /** The `fetch` to use. Default: the runtime's. */
  fetch?: Fetch | undefined;
  /**
   * How to handle the credential's rate limit. `react` (default): a 429 pauses every call of this client until the wait
   * is over. `pace`: also spreads calls to avoid a 429. If responses have no rate limit, it counts 300 requests a
   * minute for an API key, and 120 for a token. `off`: a 429 delays only its own call.
   */
  rateLimit?: 'react' | 'pace' | 'off' | undefined;
  /** Wraps each attempt. The first middleware is the outermost. Middleware never sees the credential. */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Receives attempts, retries and waits. A failure includes everything from the error's `toJSON`. `console` works. The
   * lines never contain a credential. They contain parts of a query or a body only if an error message repeats them.
   */
  logger?: Logger | undefined;
  /**
   * Writes a line to the console for everything that the logger could get: each attempt with its status, request id and
   * duration, and each wait. It never shows a credential. Default: whether the variable `SVC_DEBUG` is `1`.
   */
  debug?: boolean | undefined;
  /** Checks responses against schemas. Default: no checks. */
  validate?: Validation | undefined;
  /** Headers of each call. The headers of a call replace those of the same name. */
  headers?: Record<string, string> | undefined;
  /**
   * Lets calls run in a web page, whose visitors can read the credential. Default: false, and each call in a page throws
   * {@link UsageError}. Use it for pages that only you see, and for tests in a browser.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * The options that `withOptions` can change. The others belong to the state that the clients share.
 *
 * {@includeCode ../test/documented/clients.ts#with-options}
 */
export type ChangeableOptions = Pick<
  ClientOptions,
  keyof Bounds | 'headers' | 'middleware' | 'logger' | 'debug' | 'validate'
>;

/**
 * Options for a client that is bound to one workspace.
 *
 * {@includeCode ../test/documented/clients.ts#api-key}
 */
export interface ApiKeyClientOptions extends ClientOptions {
  /**
   * An API key (`svc_sk_…`). If you omit it, the client reads `SVC_API_KEY`. With an explicit `undefined`, each call throws
   * {@link UsageError}.
   */
  apiKey?: Credential | undefined;
  accessToken?: undefined;
}

/**
 * Options for a client that acts for a user.
 *
 * {@includeCode ../test/documented/clients.ts#user}
 */
export interface UserClientOptions extends ClientOptions {
  /** A personal access token (`svc_pat_…`). With `undefined`, each call throws {@link UsageError}. */
  accessToken: Credential | undefined;
  apiKey?: undefined;
}
