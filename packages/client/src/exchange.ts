import { type Answer, attempt, type WireRequest } from './attempt.ts';
import { AbortedError, ApiError, ServiceError, TimeoutError } from './errors.ts';
import type { CallOptions } from './options.ts';
import { isRetriable, mayHaveArrived, waitBeforeRetry } from './retry.ts';
import { parseBounds, type Settings } from './settings.ts';
import { startTimer, wait } from './timer.ts';

/** What a call came to. */
export interface Exchange extends Answer {
  /** Requests that were made, or begun. */
  attempts: number;
}

/** Makes a call: as many attempts as it takes and its bounds allow. */
export async function exchange(settings: Settings, request: WireRequest, options: CallOptions): Promise<Exchange> {
  const { timeoutMs, deadlineMs, maxRetries } = parseBounds(options, settings.bounds);
  const { limiter, logger, open } = settings;
  const { operation, method } = request;
  const scope = new AbortController();
  const { signal } = options;
  const abort = () => scope.abort(new AbortedError('The caller aborted the call', signal?.reason));
  if (settings.closed) scope.abort(new AbortedError('The client is closed'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  open.add(scope);
  const deadlineAt = Date.now() + deadlineMs;
  const outOfTime = () => new TimeoutError('deadlineMs', deadlineMs);
  const stopTimer = startTimer(deadlineMs, () => scope.abort(outOfTime()));
  let attempts = 0;
  let arrived = false;
  try {
    for (;;) {
      for (let waitMs = limiter.waitMs(Date.now()); waitMs > 0; waitMs = limiter.waitMs(Date.now())) {
        if (Date.now() + waitMs > deadlineAt) throw outOfTime();
        logger?.info?.('waiting for the rate limit', { operation, waitMs });
        await wait(waitMs, scope.signal);
      }
      scope.signal.throwIfAborted();
      attempts++;
      let failure: unknown;
      try {
        const answer = await attempt(settings, request, attempts, timeoutMs, scope.signal);
        logger?.debug?.('answered', { operation, attempts, status: answer.status, requestId: answer.requestId });
        return { ...answer, attempts };
      } catch (error) {
        failure = error;
      }
      if (!(failure instanceof ServiceError)) throw failure;
      logger?.debug?.('failed', { operation, attempts, code: failure.code });
      const refusal = failure instanceof ApiError ? failure : undefined;
      if (refusal?.status === 404 && method === 'DELETE' && arrived) {
        // An earlier attempt had done it, and its answer was lost.
        return {
          status: 404,
          headers: new Headers(),
          text: '',
          requestId: refusal.requestId,
          rateLimit: null,
          attempts,
        };
      }
      arrived ||= mayHaveArrived(failure);
      const waitMs = waitBeforeRetry(failure, attempts, Math.random);
      if (refusal?.status === 429) limiter.refused(Date.now() + waitMs);
      if (attempts > maxRetries || !isRetriable(method, failure) || Date.now() + waitMs > deadlineAt) throw failure;
      logger?.info?.('trying again', { operation, attempts, code: failure.code, waitMs });
      await wait(waitMs, scope.signal);
    }
  } catch (error) {
    if (error instanceof ServiceError) Object.assign(error, { operation, attempts });
    throw error;
  } finally {
    stopTimer();
    open.delete(scope);
    signal?.removeEventListener('abort', abort);
  }
}
