import { ApiError, NetworkError, type ServiceError, TimeoutError } from './errors.ts';

const TRANSIENT_STATUSES = [408, 500, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** Whether a failed attempt may be made again. A POST may only where it surely did nothing. */
export function isRetriable(method: string, failure: ServiceError): boolean {
  if (failure instanceof ApiError) {
    return failure.status === 429 || (method !== 'POST' && TRANSIENT_STATUSES.includes(failure.status));
  }
  if (failure instanceof NetworkError) return method !== 'POST' || failure.neverArrived;
  return failure instanceof TimeoutError && failure.limit === 'timeoutMs' && method !== 'POST';
}

/** Whether the service may have done what a failed attempt asked for. */
export function mayHaveArrived(failure: ServiceError): boolean {
  return failure instanceof ApiError
    ? failure.status !== 429
    : !(failure instanceof NetworkError && failure.neverArrived);
}

/** The wait before the next attempt in milliseconds: what the answer asks for, else full jitter over 0.5 s, doubled each time up to 8 s. */
export function waitBeforeRetry(failure: ServiceError, attempts: number, random: () => number): number {
  const asked = failure instanceof ApiError ? failure.retryAfterMs : null;
  return asked ?? random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
}
