import { type Answer, attempt, type WireRequest } from './attempt.ts';
import { AbortedError, ApiError, ServiceError, TimeoutError } from './errors.ts';
import { tell } from './logger.ts';
import type { CallOptions } from './options.ts';
import { isRetriable, mayBeDone, waitBeforeRetry } from './retry.ts';
import { parseBounds, type Settings } from './settings.ts';
import { startTimer, wait } from './timer.ts';

/** Makes a call: as many attempts as it takes and its bounds allow. */
export async function exchange(settings: Settings, request: WireRequest, options: CallOptions): Promise<Answer> {
  const bounds = parseBounds(options, settings.bounds);
  const { limiter, logger, open } = settings;
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
    new TimeoutError(`No answer within ${limit} (${bounds[limit]} ms)`, { limit });
  /** Before a wait: one past the deadline is not begun, but thrown as what asked for it. */
  const beginWait = (waitMs: number, failure: ServiceError | undefined) => {
    if (ended || Date.now() + waitMs > deadlineAt) throw ended ?? failure ?? outOfTime('deadlineMs');
    tell(logger, 'info', 'waiting', { ...failure?.toJSON(), operation, attempts, waitMs });
  };

  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  if (settings.closed) end(new AbortedError('The client was closed'));
  open.add(end);
  const stopDeadline = startTimer(bounds.deadlineMs, () => end(outOfTime('deadlineMs')));
  try {
    for (;;) {
      await wait(controller.signal, (go) =>
        // The 429 may be another call's: each call throws an error of its own.
        limiter.enter(go, (ms, by) => beginWait(ms, by && new ApiError(by.message, by)), failure),
      );
      // A signal that is aborted already tells nobody any more.
      if (ended) {
        limiter.leave();
        throw ended;
      }
      attempts++;
      const { signal: current } = controller;
      const stopTimeout = startTimer(bounds.timeoutMs, () => controller.abort(outOfTime('timeoutMs')));
      let answer: Answer | undefined;
      let sent = false;
      try {
        // Not awaited itself, because a source of credentials, a middleware or a `fetch` may not listen to the signal.
        answer = await wait<Answer>(current, (done, fail) => {
          const sending = () => {
            sent = true;
          };
          attempt(settings, request, attempts, current, sending).then(done, fail);
        });
        failure = answer.error;
      } catch (error) {
        failure = current.reason ?? error;
      }
      stopTimeout();
      const status = answer?.info.status;
      const known = failure instanceof ServiceError ? failure : undefined;
      const waitMs = known ? waitBeforeRetry(known, attempts, Math.random) : 0;
      // Before the attempt leaves, because then the next one may go.
      const held = status === 429 && limiter.hold(Date.now() + waitMs, failure as ApiError);
      limiter.leave(answer?.info.rateLimit);
      tell(logger, 'debug', 'attempted', { ...known?.toJSON(), operation, attempts, status });
      // A 404 after a DELETE that may have been done tells that it was.
      if (answer && (!failure || (status === 404 && /^DELETE/.test(operation) && perhapsDone))) return answer;
      if (!known) throw failure;
      // An attempt may have ended before it left, while it asked for the credential.
      const perhaps = sent && mayBeDone(known);
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
    open.delete(end);
    signal?.removeEventListener('abort', abort);
  }
}
