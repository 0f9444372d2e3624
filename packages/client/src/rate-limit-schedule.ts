import type { RateLimit } from './rate-limit-headers.ts';

/** The maximum time for which a response can hold all attempts. So a wrong header cannot stop the client forever. */
export const LONGEST_HOLD_MS = 600_000;

/**
 * Calculates when attempts may start, so that they stay within the rate limit that the responses state. `perMinute` is
 * the limit that the service document promises for the credential, and applies if responses state no limit.
 */
export function createPace(perMinute: number) {
  // `left` is the number of requests left in this window, and `nextAt` is the earliest start of the next attempt.
  let left: number | undefined;
  let limit = 0;
  let resetAt = 0;
  let windowMs = 0;
  let nextAt = 0;
  return {
    /**
     * Returns the time when an attempt may start if `waiting` attempts are queued before it. While the limit is unknown
     * and another attempt is under way, the time is infinite: that attempt's response may contain the limit.
     */
    at(now: number, underWay: number, waiting: number): number {
      if (left === undefined) return underWay ? Infinity : 0;
      if (now >= resetAt) {
        left = limit;
        // Until the next response, assume that the window starts when this attempt's request arrives.
        resetAt = now + windowMs + 1000;
      }
      // The number of windows that must end before this attempt may start.
      const windows = Math.ceil((waiting + 1 - Math.max(0, left)) / limit);
      return windows > 0 ? resetAt + (windows - 1) * windowMs : nextAt;
    },
    /** Records that an attempt starts. */
    enter(now: number): void {
      // The first half of the requests in a window starts without delay. The requests in the second half are spread
      // over the rest of the window.
      if (left !== undefined) nextAt = --left * 2 < limit ? now + (resetAt - now) / (left + 1) : 0;
    },
    /** Records that an attempt has ended, and updates the limit if the response contains one. */
    leave(rateLimit: RateLimit | null | undefined, now: number): void {
      if (rateLimit === undefined || (!rateLimit && left !== undefined)) return;
      // Without rate-limit headers, use the number of requests per minute that the service document promises.
      const stated = rateLimit ?? { limit: perMinute, remaining: perMinute - 1, resetAt: now + 60_000 };
      const statedResetAt = Math.min(+stated.resetAt, now + LONGEST_HOLD_MS);
      limit = stated.limit;
      // Keep the lowest values of each window, because responses may arrive out of order and times are rounded.
      if (left === undefined || now >= resetAt) {
        left = Infinity;
        resetAt = Infinity;
      }
      left = Math.min(left, stated.remaining);
      resetAt = Math.min(resetAt, statedResetAt);
      windowMs = Math.max(windowMs, statedResetAt - now);
    },
  };
}
