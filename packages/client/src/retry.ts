import { type ApiError, NetworkError, type ServiceError, type TimeoutError } from './errors.ts';

/** The fields that decide whether to retry an attempt. Each kind of failure has some of these fields. */
type Failure = ServiceError &
  Partial<Pick<ApiError, 'status' | 'retryAfterMs'> & Pick<NetworkError, 'neverArrived'> & Pick<TimeoutError, 'limit'>>;

/**
 * Whether a failed attempt may have had an effect on the service. Assumes that the attempt was sent. A 429 means that
 * the service did nothing.
 */
export function mayBeDone({ status, neverArrived }: Failure): boolean {
  return status !== 429 && !neverArrived;
}

/**
 * Whether to retry a failed attempt. A POST is retried only if it is certain that the service did nothing, that is, if
 * `mayBeDone` is false.
 */
export function isRetriable(operation: string, failure: Failure, mayBeDone: boolean): boolean {
  const transientStatuses = [408, 429, 500, 502, 503, 504];
  const { status, limit } = failure;
  const transient =
    failure instanceof NetworkError || limit === 'timeoutMs' || transientStatuses.includes(status as number);
  return transient && !(/^POST/.test(operation) && mayBeDone);
}

/**
 * The wait before the next attempt, in milliseconds. If the response says how long to wait, the client waits that long.
 * After a 429 that does not say so, the wait is a minute, because the service counts requests per minute. In all other
 * cases, the wait is random. The longest possible wait is 500 ms before the first retry. It doubles before each later
 * retry, up to 8 s.
 */
export function waitBeforeRetry({ status, retryAfterMs }: Failure, attempts: number, random: () => number): number {
  const firstMs = 500;
  const longestMs = 8000;
  return retryAfterMs ?? (status === 429 ? 60_000 : random() * Math.min(longestMs, firstMs * 2 ** (attempts - 1)));
}
