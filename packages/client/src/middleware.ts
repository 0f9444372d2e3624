import type { RawRequest, RawResponse } from './platform.ts';

/**
 * The third argument of a middleware, which describes the attempt.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export interface MiddlewareContext {
  /** The operation's name in the API reference. */
  readonly operation: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
}

/**
 * Passes a request to the next middleware or to the service. A middleware may call `next` more than once with the same
 * request. To read the request's body, read the body of its `clone()`, because a body can be read only once.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Next = (request: RawRequest) => Promise<RawResponse>;

/**
 * Wraps one attempt. A middleware may change the request, respond without sending it, or inspect the response.
 *
 * The client adds the credential after the last middleware, and only to requests to the service's own origin.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Middleware = (request: RawRequest, next: Next, context: MiddlewareContext) => Promise<RawResponse>;
