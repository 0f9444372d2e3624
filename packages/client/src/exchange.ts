import { type Answer, attempt, refusalOf, type WireRequest } from './attempt.ts';
import { AbortedError, ApiError, ServiceError, TimeoutError } from './errors.ts';
import { tell } from './logger.ts';
import type { CallOptions } from './options.ts';
import { isRetriable, mayBeDone, waitBeforeRetry } from './retry.ts';
import { parseBounds, type Settings } from './settings.ts';
import { startTimer, wait } from './timer.ts';

/** Makes a call: as many attempts as it takes and its bounds allow. */
export async function exchange(settings: Settings, request: WireRequest, options: CallOptions): Promise<Answer> {
  const { timeoutMs, deadlineMs, maxRetries } = parseBounds(options, settings.bounds);
  const { limiter, logger, open } = settings;
  const { operation, method } = request;
  const { signal } = options;
  const deadlineAt = Date.now() + deadlineMs;
  let attempts = 0;
  let perhapsDone = false;
  let failure: unknown;
  let ended: ServiceError | undefined;
  let controller = new AbortController();

  const end = (error: ServiceError) => {
    ended = error;
    controller.abort(error);
  };
  const abort = () => end(new AbortedError('The caller aborted the call', {}, signal?.reason));
  const outOfTime = (limit: string, ms: number) => new TimeoutError(`No answer within ${limit} (${ms} ms)`, { limit });
  /** Before a wait: one past the deadline is not begun, but thrown as what asked for it. */
  const beginWait = (waitMs: number, failure: ServiceError = outOfTime('deadlineMs', deadlineMs)) => {
    if (ended || Date.now() + waitMs > deadlineAt) throw ended ?? failure;
    tell(logger, 'info', 'waiting', { operation, attempts, waitMs });
  };

  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  if (settings.closed) end(new AbortedError('The client was closed'));
  open.add(end);
  const stopDeadline = startTimer(deadlineMs, () => end(outOfTime('deadlineMs', deadlineMs)));
  try {
    for (;;) {
      await wait(controller.signal, (go) =>
        // The 429 may be another call's: each call throws an error of its own.
        limiter.enter(go, (ms, by) => beginWait(ms, by && new ApiError(by.message, by)), failure),
      );
      // A signal that is aborted already tells nobody any more.
      if (ended) {
        limiter.leave(undefined);
        throw ended;
      }
      attempts++;
      const { signal: current } = controller;
      const stopTimeout = startTimer(timeoutMs, () => controller.abort(outOfTime('timeoutMs', timeoutMs)));
      let answer: Answer | undefined;
      let sent = false;
      try {
        // Raced, because a source of credentials, a middleware or a `fetch` may not listen to the signal.
        answer = await Promise.race([
          new Promise<never>((_, reject) => current.addEventListener('abort', () => reject(current.reason))),
          attempt(settings, request, attempts, current, () => {
            sent = true;
          }),
        ]);
        failure = refusalOf(answer);
      } catch (error) {
        failure = current.reason ?? error;
      }
      stopTimeout();
      const status = answer?.info.status;
      const waitMs = failure instanceof ServiceError ? waitBeforeRetry(failure, attempts, Math.random) : 0;
      // Before the attempt leaves, because then the next one may go.
      const held = failure instanceof ApiError && status === 429 && limiter.hold(Date.now() + waitMs, failure);
      limiter.leave(answer?.info.rateLimit);
      tell(logger, 'debug', 'attempted', { operation, attempts, status });
      // A 404 after a DELETE that may have been done tells that it was.
      if (answer && (!failure || (status === 404 && method === 'DELETE' && perhapsDone))) return answer;
      if (!(failure instanceof ServiceError)) throw failure;
      // An attempt may have ended before it left, while it asked for the credential.
      const perhaps = sent && mayBeDone(failure);
      perhapsDone ||= perhaps;
      if (attempts > maxRetries || !isRetriable(method, failure, perhaps)) throw failure;
      controller = new AbortController();
      if (held) continue;
      beginWait(waitMs, failure);
      await wait(controller.signal, (done) => startTimer(waitMs, done));
    }
  } catch (error) {
    throw error instanceof ServiceError ? Object.assign(error, { attempts }) : error;
  } finally {
    stopDeadline();
    open.delete(end);
    signal?.removeEventListener('abort', abort);
  }
}
