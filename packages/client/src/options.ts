import type { Logger } from './logger.ts';
import type { Middleware } from './middleware.ts';
import type { Fetch, Signal } from './platform.ts';
import type { Validation } from './validation.ts';

/**
 * A credential: its text, or a function that is asked for it again on each attempt, so that it may rotate.
 *
 * {@includeCode ../test/documented/clients.ts#rotating}
 */
export type Credential = string | (() => string | Promise<string>);

/**
 * Bounds of a call; each can be given for the whole client and for one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface Bounds {
  /** Time that one attempt may take, from the credential to the last byte of the answer, in milliseconds. 30 s unless given. */
  timeoutMs?: number | undefined;
  /** Time that a call may take over all its attempts and waits, in milliseconds. 120 s unless given. */
  deadlineMs?: number | undefined;
  /** Attempts after the first. 2 unless given; 0 is one request. */
  maxRetries?: number | undefined;
}

/**
 * Options of one call.
 *
 * {@includeCode ../test/documented/calls.ts#bounds}
 */
export interface CallOptions extends Bounds {
  /** Ends the call with an {@link AbortedError}. No listener is left on it. */
  signal?: Signal | undefined;
  /** Headers to send along; the client's own win. With an API key, `Service-Workspace-Id` is a {@link UsageError}. */
  headers?: Record<string, string> | undefined;
}

/**
 * What both kinds of client take.
 *
 * {@includeCode ../test/documented/extending.ts#pace}
 */
export interface ClientOptions extends Bounds {
  /** Where the service is, for example `https://api.example.com`. A path before `/v1` is kept. `SVC_BASE_URL` by default. */
  baseUrl?: string | undefined;
  /** The `fetch` to use; the runtime's by default. */
  fetch?: Fetch | undefined;
  /**
   * What to do about the credential's rate limit. `react` (the default): a 429 holds every call of this client until
   * the wait is over. `pace`: calls are also spread so that no 429 comes. `off`: each call fends for itself.
   */
  rateLimit?: 'react' | 'pace' | 'off' | undefined;
  /** Wraps each attempt; the first is the outermost. It never sees the credential. */
  middleware?: readonly Middleware[] | undefined;
  /** Is told of attempts, retries and waits, and of what failed all that the error's `toJSON` tells; `console` will do. It is never told a credential, and of a query or a body what a message repeats at most. */
  logger?: Logger | undefined;
  /** Checks answers against schemas; off unless given. */
  validate?: Validation | undefined;
}

/**
 * Options of a client that is bound to one workspace.
 *
 * {@includeCode ../test/documented/clients.ts#api-key}
 */
export interface ApiKeyClientOptions extends ClientOptions {
  /** An API key (`svc_sk_…`). `SVC_API_KEY` if you leave it out; `undefined` is a {@link UsageError}. */
  apiKey?: Credential | undefined;
  accessToken?: undefined;
}

/**
 * Options of a client that acts for a user.
 *
 * {@includeCode ../test/documented/clients.ts#user}
 */
export interface UserClientOptions extends ClientOptions {
  /** A personal access token (`svc_pat_…`). `undefined` is a {@link UsageError}. */
  accessToken: Credential | undefined;
  apiKey?: undefined;
}
