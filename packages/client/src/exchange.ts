import { makeAttempt, type Try, type WholeResponse, type WireRequest } from './attempt.ts';
import { AbortedError, ApiError, ServiceError, TimeoutError } from './errors.ts';
import { tell } from './logger.ts';
import type { CallOptions } from './options.ts';
import { isRetriable, mayBeDone, waitBeforeRetry } from './retry.ts';
import { parseBounds, type Settings } from './settings.ts';
import { startTimer, wait } from './timer.ts';

/** Makes a call, and retries it as long as the kind of failure and the call's bounds allow a retry. */
export async function exchange(settings: Settings, request: WireRequest, options: CallOptions): Promise<WholeResponse> {
  const bounds = parseBounds(options, settings.bounds);
  const { limiter, lifetime } = settings;
  const { operation } = request;
  const { signal } = options;
  const deadlineAt = Date.now() + bounds.deadlineMs;
  let attempts = 0;
  let perhapsDone = false;
  let failure: unknown;
  let ended: ServiceError | undefined;
  let controller = new AbortController();

  const end = (error: ServiceError) => {
    ended = error;
    controller.abort(error);
  };
  const abort = () => end(new AbortedError('The call was aborted', undefined, signal?.reason));
  const outOfTime = (limit: TimeoutError['limit']) =>
    new TimeoutError(`No response within ${limit} (${bounds[limit]} ms)`, { limit });
  /**
   * Logs a wait. Throws if the call has ended. If the wait would reach the deadline, throws `failure`, or a
   * {@link TimeoutError} if there is no failure.
   */
  const beginWait = (waitMs: number, failure: ServiceError | undefined) => {
    if (ended || Date.now() + waitMs >= deadlineAt) throw ended ?? failure ?? outOfTime('deadlineMs');
    tell(settings, 'info', 'waiting', { ...failure?.toJSON(), operation, attempts, waitMs });
  };

  // A timer would fire only after the request was sent.
  if (!bounds.timeoutMs) end(outOfTime('timeoutMs'));
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const leave = lifetime.enter(end);
  const stopDeadline = startTimer(bounds.deadlineMs, () => end(outOfTime('deadlineMs')));
  try {
    for (;;) {
      await wait(controller.signal, (go) =>
        // The 429 in `by` may be the response to another call, and each call must throw a separate error object.
        limiter.enter(go, (ms, by) => beginWait(ms, by && new ApiError(by.message, by, by)), failure),
      );
      // `wait` does not notice a signal that was aborted earlier, or a deadline that has passed without a timer.
      if (ended || Date.now() >= deadlineAt) {
        limiter.leave();
        throw ended ?? outOfTime('deadlineMs');
      }
      attempts++;
      const startedAt = Date.now();
      tell(settings, 'debug', 'sending', { operation, attempts });
      const stopTimeout = startTimer(bounds.timeoutMs, () => controller.abort(outOfTime('timeoutMs')));
      const current: Try = { ...request, attempts, begun: false };
      const response = await makeAttempt(settings, current, controller.signal);
      failure = response.error;
      stopTimeout();
      const { status, requestId, rateLimit } = response.info ?? {};
      const known = failure instanceof ServiceError ? failure : undefined;
      const waitMs = known ? waitBeforeRetry(known, attempts, Math.random) : 0;
      // Call `hold` first, because `leave` may start another call's attempt, which must wait.
      const held = status === 429 && limiter.hold(Date.now() + waitMs, failure as ApiError);
      limiter.leave(rateLimit);
      const durationMs = Date.now() - startedAt;
      tell(settings, 'debug', 'attempted', { ...known?.toJSON(), operation, attempts, status, requestId, durationMs });
      // If an earlier attempt of a DELETE may have worked, treat a 404 as success.
      if (response.info && (!failure || (status === 404 && /^DELETE/.test(operation) && perhapsDone))) return response;
      if (!known) throw failure;
      // If an attempt ended while it waited for the credential, nothing was sent.
      const perhaps = current.begun && mayBeDone(known);
      perhapsDone ||= perhaps;
      if (attempts > bounds.maxRetries || !isRetriable(operation, known, perhaps)) throw known;
      controller = new AbortController();
      if (held) continue;
      beginWait(waitMs, known);
      await wait(controller.signal, (done) => startTimer(waitMs, done));
    }
  } catch (error) {
    throw error instanceof ServiceError ? Object.assign(error, { attempts }) : error;
  } finally {
    stopDeadline();
    leave();
    signal?.removeEventListener('abort', abort);
  }
}
