import type { RawRequest, RawResponse } from './platform.ts';

/**
 * What a middleware gets besides the request.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export interface MiddlewareContext {
  /** The operation, by its name in the API reference. */
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Passes a request to the next middleware or to the service. You may call it more than once with the same request. To read
 * the request's body, read that of a `clone()`.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Next = (request: RawRequest) => Promise<RawResponse>;

/**
 * Wraps one attempt. It may change the request, respond without sending it, or inspect the response.
 *
 * The client adds the credential after the last middleware, and only to requests to the service's own origin.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Middleware = (request: RawRequest, next: Next, context: MiddlewareContext) => Promise<RawResponse>;
