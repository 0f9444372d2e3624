import { type ApiError, UsageError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import type { RateLimit } from './rate-limit-headers.ts';
import { createPace, LONGEST_HOLD_MS } from './rate-limit-schedule.ts';
import { startTimer } from './timer.ts';

/**
 * Delays attempts so that they stay within the credential's rate limit. A client shares one limiter with the clients
 * that its `withOptions` and `workspace` return.
 */
export interface Limiter {
  /**
   * Queues an attempt, and calls `go` when the attempt may start. The queue is first in, first out. Returns a function
   * that removes the attempt from the queue.
   *
   * If the attempt has to wait, calls `held` with the minimum wait in milliseconds. If a 429 response caused the wait,
   * `held` also gets the error for this response. If `held` throws, the attempt is not queued. If the queue is full,
   * throws `failed` (the error of the call's previous attempt), or a {@link UsageError} if the call was not sent yet.
   */
  enter(go: () => void, held: (ms: number, by: ApiError | undefined) => void, failed?: unknown): () => void;
  /**
   * Records that a started attempt has ended. `rateLimit` comes from the attempt's response. `rateLimit` is null if the
   * response contains no rate limit, and undefined if there is no response.
   */
  leave(rateLimit?: RateLimit | null): void;
  /**
   * Holds all attempts until the time `until`, because the 429 in `by` requires this wait. Returns whether the attempts
   * are held until that time.
   */
  hold(until: number, by: ApiError): boolean;
}

/**
 * Creates a limiter. `perMinute` is the credential's limit in the service document. With `pace`, the limiter uses
 * `perMinute` if responses have no rate-limit headers.
 */
export function createLimiter(mode: NonNullable<ClientOptions['rateLimit']>, perMinute: number): Limiter {
  // The maximum number of attempts that may wait at the same time.
  const longestQueue = 1000;

  const pace = mode === 'pace' ? createPace(perMinute) : undefined;
  const queue = new Set<() => void>();
  let stopTimer: (() => void) | undefined;
  let heldUntil = 0;
  let heldBy: ApiError | undefined;
  let underWay = 0;

  /** Returns when an attempt may start if `waiting` attempts are queued before it. A time in the past means now. */
  const readyAt = (now: number, waiting: number) =>
    Math.max(heldUntil, pace?.at(now, heldUntil > now ? 0 : underWay, waiting) ?? 0);

  /** Starts the attempts that may start now, and runs again when the next attempt may start. */
  function advance(): void {
    stopTimer?.();
    for (const go of queue) {
      const now = Date.now();
      const at = readyAt(now, 0);
      if (at > now) {
        // If the time is infinite, the limit is unknown until an attempt ends and `leave` calls this function again.
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
      if (queue.size >= longestQueue) throw failed ?? new UsageError('Too many calls queued');
      const now = Date.now();
      const at = readyAt(now, queue.size);
      if (at > now) held(at < Infinity ? at - now : 0, heldUntil > now ? heldBy : undefined);
      queue.add(go);
      advance();
      return () => {
        queue.delete(go);
        if (!queue.size) stopTimer?.();
      };
    },
    leave(rateLimit) {
      underWay--;
      pace?.leave(rateLimit, Date.now());
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
