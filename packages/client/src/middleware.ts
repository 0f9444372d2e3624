import type { RawRequest, RawResponse } from './platform.ts';

/**
 * What a middleware is told beside the request.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export interface MiddlewareContext {
  /** The operation, as the API reference names it. */
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Sends a request on, to the next middleware or to the service. May be called more than once with the same request; who
 * reads its body reads that of a `clone()`.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Next = (request: RawRequest) => Promise<RawResponse>;

/**
 * Wraps one attempt. It may change the request, answer without sending it, or look at the answer.
 *
 * The credential is added after the last one, and only to requests to the service's own origin.
 *
 * {@includeCode ../test/documented/extending.ts#middleware}
 */
export type Middleware = (request: RawRequest, next: Next, context: MiddlewareContext) => Promise<RawResponse>;
