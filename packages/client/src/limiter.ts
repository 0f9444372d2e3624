import { type ApiError, UsageError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { createPace, LONGEST_HOLD_MS } from './pace.ts';
import type { RateLimit } from './rate-limit.ts';
import { startTimer } from './timer.ts';

/** Holds attempts back to keep to the credential's rate limit. Each client has one. */
export interface Limiter {
  /**
   * Queues an attempt, and calls `go` when it may start. First in, first out. Returns a function that removes it from
   * the queue.
   *
   * If the attempt has to wait, calls `held` with the minimum wait in milliseconds, and with the 429 that caused it, if
   * any. If `held` throws, the attempt is not queued. If the queue is full, throws `failed`, the error of the call's
   * previous attempt, or a {@link UsageError} if the call was not sent yet.
   */
  enter(go: () => void, held: (ms: number, by: ApiError | undefined) => void, failed?: unknown): () => void;
  /**
   * Call it when an attempt that was started ends. `rateLimit` is from its response: null if the response has none, undefined if
   * there is no response.
   */
  leave(rateLimit?: RateLimit | null): void;
  /** Holds all attempts until `until`, because the 429 `by` requires it. Returns whether they are held that long. */
  hold(until: number, by: ApiError): boolean;
}

/**
 * Creates a limiter. `perMinute` is the limit that the service document gives for the credential. The limiter uses it
 * when responses have no rate-limit headers.
 */
export function createLimiter(mode: NonNullable<ClientOptions['rateLimit']>, perMinute: number): Limiter {
  // The maximum number of attempts that may wait at the same time.
  const longestQueue = 1000;

  const pace = mode === 'pace' ? createPace(perMinute) : undefined;
  const queue = new Set<() => void>();
  let stopTimer = () => {};
  let heldUntil = 0;
  let heldBy: ApiError | undefined;
  let underWay = 0;

  /**
   * When an attempt may start if that many attempts wait before it. The time is in the past if the attempt may start
   * now.
   */
  const readyAt = (now: number, waiting: number) =>
    Math.max(heldUntil, pace?.at(now, heldUntil > now ? 0 : underWay, waiting) ?? 0);

  /** Starts the attempts that may start now, and runs again when the next one may. */
  function advance(): void {
    stopTimer();
    for (const go of queue) {
      const now = Date.now();
      const at = readyAt(now, 0);
      if (at > now) {
        // If the time is unknown, the end of an attempt calls this again.
        if (at < Infinity) stopTimer = startTimer(at - now, advance);
        return;
      }
      pace?.enter(now);
      underWay++;
      queue.delete(go);
      go();
    }
  }

  return {
    enter(go, held, failed) {
      if (queue.size >= longestQueue) throw failed ?? new UsageError('Too many calls are queued');
      const now = Date.now();
      const at = readyAt(now, queue.size);
      if (at > now) held(at < Infinity ? at - now : 0, heldUntil > now ? heldBy : undefined);
      queue.add(go);
      advance();
      return () => {
        queue.delete(go);
        if (!queue.size) stopTimer();
      };
    },
    leave(rateLimit) {
      underWay--;
      pace?.leave(rateLimit, Date.now(), underWay);
      advance();
    },
    hold(until, by) {
      if (mode !== 'off' && until > heldUntil) {
        heldUntil = Math.min(until, Date.now() + LONGEST_HOLD_MS);
        heldBy = by;
      }
      return heldUntil >= until;
    },
  };
}
