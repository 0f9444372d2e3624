import type { ResponseHeaders } from './platform.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Everything about an answer except its data.
 *
 * {@includeCode ../test/documented/calls.ts#call}
 */
export interface AnswerInfo {
  status: number;
  headers: ResponseHeaders;
  /** The answer's `Service-Request-Id`. Support asks for it. The service document does not show this header. */
  requestId: string | null;
  /** How many requests the call made. */
  attempts: number;
  /** The state of the credential's rate limit. Null if the answer does not include it. */
  rateLimit: RateLimit | null;
}
