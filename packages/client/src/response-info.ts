import type { ResponseHeaders } from './platform.ts';
import type { RateLimit } from './rate-limit-headers.ts';

/**
 * Everything about a response except its data.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface ResponseInfo {
  status: number;
  headers: ResponseHeaders;
  /** The response's `Service-Request-Id`, for support. The service document does not show this header. */
  requestId: string | null;
  /** The number of attempts that the call made. */
  attempts: number;
  /** The state of the credential's rate limit. Null if the response does not contain a rate limit. */
  rateLimit: RateLimit | null;
}
