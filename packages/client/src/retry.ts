import type { ApiError, NetworkError, ServiceError, TimeoutError } from './errors.ts';

const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** What of a failed attempt decides, whichever kind it is. */
type Failure = Partial<
  Pick<ApiError, 'status' | 'retryAfterMs'> & Pick<NetworkError, 'neverArrived'> & Pick<TimeoutError, 'limit'>
>;

/** Whether the service may have done what a failed attempt, which was sent, asked for. A 429 was refused before it. */
export function mayBeDone(failure: ServiceError): boolean {
  const { status, neverArrived } = failure as Failure;
  return status !== 429 && !neverArrived;
}

/** Whether a failed attempt may be made again; a POST may only where it surely did nothing, so not where it `mayBeDone`. */
export function isRetriable(method: string, failure: ServiceError, mayBeDone: boolean): boolean {
  const { status, limit } = failure as Failure;
  const transient = failure.code === 'NETWORK' || limit === 'timeoutMs' || TRANSIENT_STATUSES.includes(status ?? 0);
  return transient && !(method === 'POST' && mayBeDone);
}

/** The wait before the next attempt in milliseconds: what the answer asks for, else full jitter over 0.5 s, doubled each time up to 8 s. */
export function waitBeforeRetry(failure: ServiceError, attempts: number, random: () => number): number {
  const { retryAfterMs } = failure as Failure;
  return retryAfterMs ?? random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
}
