import type { Logger } from './logger.ts';
import type { Middleware } from './middleware.ts';
import type { Fetch, Signal } from './platform.ts';
import type { Validation } from './validation.ts';

/**
 * A credential, or a function that returns a credential. The client calls the function on each attempt, so you can
 * rotate the credential.
 *
 * {@includeCode ../test/documented/clients.ts#rotating}
 */
export type Credential = string | (() => string | Promise<string>);

/**
 * Limits for the time and the retries of a call. You can set each limit for the whole client or for one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface Bounds {
  /**
   * The maximum time for one attempt, in milliseconds. An attempt begins when the client reads the credential, and ends
   * with the last byte of the response. Default: 30,000.
   */
  timeoutMs?: number | undefined;
  /** The maximum time for a call with all its attempts and waits, in milliseconds. Default: 120,000. */
  deadlineMs?: number | undefined;
  /** The maximum number of retries. Default: 2. With 0, a call sends one request. */
  maxRetries?: number | undefined;
}

/**
 * Options for one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface CallOptions extends Bounds {
  /**
   * When the signal is aborted, the call rejects with an {@link AbortedError}. The client removes its listener when the
   * call ends.
   */
  signal?: Signal | undefined;
  /**
   * Headers to add. Your `User-Agent` replaces the client's. Any other header that the client sets keeps the client's
   * value. With an API key, a call with the header `Service-Workspace-Id` throws {@link UsageError}.
   */
  headers?: Record<string, string> | undefined;
}

/**
 * Options for every client.
 *
 * {@includeCode ../test/documented/extending.ts#pace}
 */
export interface ClientOptions extends Bounds {
  /**
   * The address of the service, for example `https://api.example.com`. The address may have a path, which precedes
   * `/v1`. Default: the environment variable `SVC_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The `fetch` to use. Default: the runtime's `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How to handle the credential's rate limit. With `react` (default), a 429 delays all calls of this client for as
   * long as the response says, by default for a minute. `pace` also spreads calls over time to avoid a 429. Without
   * rate-limit headers, `pace` assumes 300 requests a minute for an API key, and 120 for a token. With `off`, a 429
   * delays only the call that received it.
   */
  rateLimit?: 'react' | 'pace' | 'off' | undefined;
  /**
   * The middleware functions that wrap each attempt. The first function is the outermost. Middleware never sees the
   * credential.
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Receives log messages about attempts, retries and waits. The fields of a failed attempt include the error's
   * `toJSON()`. You can pass `console`. The messages never contain a credential. They contain parts of a query or body
   * only if an error message repeats these parts.
   */
  logger?: Logger | undefined;
  /**
   * Writes every log message to the console: each attempt with its status, request id and duration, and each wait. The
   * lines never contain a credential. Default: true if the environment variable `SVC_DEBUG` is `1`.
   */
  debug?: boolean | undefined;
  /** Checks responses against schemas. Default: no checks. */
  validate?: Validation | undefined;
  /** Headers for every call. A call's own headers replace headers of the same name. */
  headers?: Record<string, string> | undefined;
  /**
   * Allows calls in a web page, although visitors to the page can read the credential. Default: false, so that each
   * call in a web page throws {@link UsageError}. Use this option for pages that only you see, and for tests in a
   * browser.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * The options that `withOptions` can change. The method cannot change the other options, because they belong to the
 * state that the clients share.
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
   * An API key (`svc_sk_…`). If you omit this option, the client reads `SVC_API_KEY`. If the option is explicitly
   * `undefined`, each call throws {@link UsageError}.
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
  /** A personal access token (`svc_pat_…`). If this option is `undefined`, each call throws {@link UsageError}. */
  accessToken: Credential | undefined;
  apiKey?: undefined;
}
