import { type ApiError, UsageError } from './errors.ts';
import type { ClientOptions } from './options.ts';
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
  /** Holds all attempts until `until`, because the 429 `by` asks for it. Returns whether they are held that long. */
  hold(until: number, by: ApiError): boolean;
}

/**
 * Creates a limiter. `perMinute` is what the service document promises for the credential, if responses have no rate
 * limit.
 */
export function createLimiter(mode: NonNullable<ClientOptions['rateLimit']>, perMinute: number): Limiter {
  // Stands for a time that never comes, and for a number that never runs out.
  const never = 1e15;
  // The most attempts that may wait at the same time.
  const longestQueue = 1000;
  // The longest hold, whatever a response asks for. A wrong header must not stop the client forever.
  const longestHoldMs = 600_000;

  const queue = new Set<() => void>();
  let stopTimer = () => {};
  let heldUntil = 0;
  let heldBy: ApiError | undefined;
  let underWay = 0;
  // What `pace` knows: requests left in this window, requests per window, when the window ends, how long windows are, and
  // when the next attempt may start.
  let left: number | undefined;
  let limit = 0;
  let resetAt = 0;
  let windowMs = 0;
  let nextAt = 0;

  /**
   * When the first attempt in the queue may start: in the past if it may start now, never while another one finds out the
   * limit.
   */
  function readyAt(now: number): number {
    if (heldUntil > now) return heldUntil;
    if (mode !== 'pace') return 0;
    if (left === undefined) return underWay > 0 ? never : 0;
    if (now >= resetAt) {
      left = limit;
      // An estimate until a response says more: the service starts the window when the request arrives.
      resetAt = now + windowMs + 1000;
    }
    return left < 1 ? resetAt : nextAt;
  }

  /** Starts the attempts that may start now, and runs again when the next one may. */
  function advance(): void {
    stopTimer();
    for (const go of queue) {
      const now = Date.now();
      const at = readyAt(now);
      if (at > now) {
        // If the time is unknown, the end of an attempt calls this again.
        if (at < never) stopTimer = startTimer(at - now, advance);
        return;
      }
      if (left !== undefined) {
        left--;
        // The first half of the window's requests starts at once. The second half is spread over the rest of the window.
        nextAt = left * 2 < limit ? now + (resetAt - now) / (left + 1) : 0;
      }
      underWay++;
      queue.delete(go);
      go();
    }
  }

  return {
    enter(go, held, failed) {
      if (queue.size >= longestQueue) throw failed ?? new UsageError('Too many calls wait for the rate limit');
      const now = Date.now();
      let at = readyAt(now);
      // An attempt that does not fit into this window waits for the next one, or for a later one.
      const windows = Math.ceil((queue.size + 1 - Math.max(0, left ?? never)) / limit);
      if (windows > 0) at = Math.max(at, resetAt + (windows - 1) * windowMs);
      if (at > now) held(at < never ? at - now : 0, heldUntil > now ? heldBy : undefined);
      queue.add(go);
      advance();
      return () => {
        queue.delete(go);
        if (!queue.size) stopTimer();
      };
    },
    leave(rateLimit) {
      underWay--;
      const now = Date.now();
      // The service document promises a number of requests per minute, but no headers.
      const unstated = { limit: perMinute, remaining: perMinute - 1, resetAt: new Date(now + 60_000) };
      const known = rateLimit ?? (rateLimit === null && left === undefined && unstated);
      if (mode === 'pace' && known) {
        const statedResetAt = Math.min(known.resetAt.getTime(), now + longestHoldMs);
        limit = known.limit;
        // Responses overtake each other, and count in whole seconds. Within one window, keep the lowest values.
        if (left === undefined || now >= resetAt) {
          left = never;
          resetAt = never;
        }
        left = Math.min(left, known.remaining - underWay);
        resetAt = Math.min(resetAt, statedResetAt);
        windowMs = Math.max(windowMs, statedResetAt - now);
      }
      advance();
    },
    hold(until, by) {
      if (mode !== 'off' && until > heldUntil) {
        heldUntil = Math.min(until, Date.now() + longestHoldMs);
        heldBy = by;
      }
      return heldUntil >= until;
    },
  };
}
