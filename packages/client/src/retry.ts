import { type ApiError, NetworkError, type ServiceError, type TimeoutError } from './errors.ts';

/** What of a failed attempt decides, whichever kind it is. */
type Failure = ServiceError &
  Partial<Pick<ApiError, 'status' | 'retryAfterMs'> & Pick<NetworkError, 'neverArrived'> & Pick<TimeoutError, 'limit'>>;

/** Whether the service may have done what a failed attempt, which was sent, asked for. A 429 was refused before it. */
export function mayBeDone({ status, neverArrived }: Failure): boolean {
  return status !== 429 && !neverArrived;
}

/** Whether a failed attempt may be made again; a POST may only where it surely did nothing, so not where it `mayBeDone`. */
export function isRetriable(operation: string, failure: Failure, mayBeDone: boolean): boolean {
  const transientStatuses = [408, 429, 500, 502, 503, 504];
  const { status, limit } = failure;
  const transient =
    failure instanceof NetworkError || limit === 'timeoutMs' || transientStatuses.includes(status as number);
  return transient && !(/^POST/.test(operation) && mayBeDone);
}

/** The wait before the next attempt in milliseconds: what the answer asks for, else full jitter over 0.5 s, doubled each time up to 8 s. */
export function waitBeforeRetry({ retryAfterMs }: Failure, attempts: number, random: () => number): number {
  const firstMs = 500;
  const longestMs = 8000;
  return retryAfterMs ?? random() * Math.min(longestMs, firstMs * 2 ** (attempts - 1));
}
