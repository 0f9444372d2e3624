import { type ApiError, NetworkError, type ServiceError, type TimeoutError } from './errors.ts';

/** The fields of a failed attempt, of any kind, that decide about a retry. */
type Failure = ServiceError &
  Partial<Pick<ApiError, 'status' | 'retryAfterMs'> & Pick<NetworkError, 'neverArrived'> & Pick<TimeoutError, 'limit'>>;

/** Whether the service may have done what a failed attempt asked for, if the attempt was sent. With a 429, it did nothing. */
export function mayBeDone({ status, neverArrived }: Failure): boolean {
  return status !== 429 && !neverArrived;
}

/**
 * Whether to retry a failed attempt. A POST is retried only if the service certainly did nothing, so not if it `mayBeDone`.
 */
export function isRetriable(operation: string, failure: Failure, mayBeDone: boolean): boolean {
  const transientStatuses = [408, 429, 500, 502, 503, 504];
  const { status, limit } = failure;
  const transient =
    failure instanceof NetworkError || limit === 'timeoutMs' || transientStatuses.includes(status as number);
  return transient && !(/^POST/.test(operation) && mayBeDone);
}

/**
 * The wait before the next attempt, in milliseconds. If the response requires a wait, it is that wait. After a 429 that
 * requires none, it is a minute, because the service counts requests per minute. Otherwise it is random: full jitter
 * over 500 ms, doubled each time up to 8 s.
 */
export function waitBeforeRetry({ status, retryAfterMs }: Failure, attempts: number, random: () => number): number {
  const firstMs = 500;
  const longestMs = 8000;
  return retryAfterMs ?? (status === 429 ? 60_000 : random() * Math.min(longestMs, firstMs * 2 ** (attempts - 1)));
}
