import type { RateLimit } from './rate-limit.ts';

/** The longest hold, even if a response requires a longer one. A wrong header must not stop the client forever. */
export const LONGEST_HOLD_MS = 600_000;

/**
 * When attempts may start, so that they keep to the rate limit of the responses. `perMinute` is what the service document
 * promises for the credential, if responses have no rate limit.
 */
export function createPace(perMinute: number) {
  // Requests left in this window, requests per window, when the window ends, how long windows are, and when the next
  // attempt may start.
  let left: number | undefined;
  let limit = 0;
  let resetAt = 0;
  let windowMs = 0;
  let nextAt = 0;
  return {
    /** When an attempt may start, if that many wait before it: never while another one finds out the limit. */
    at(now: number, underWay: number, waiting: number): number {
      if (left === undefined) return underWay > 0 ? Infinity : 0;
      if (now >= resetAt) {
        left = limit;
        // An estimate until a response says more: the service starts the window when the request arrives.
        resetAt = now + windowMs + 1000;
      }
      // How many windows end before the window that the attempt fits into.
      const windows = Math.ceil((waiting + 1 - Math.max(0, left)) / limit);
      return windows > 0 ? resetAt + (windows - 1) * windowMs : nextAt;
    },
    /** An attempt starts. */
    enter(now: number): void {
      // The first half of the window's requests starts at once. The second half is spread over the rest of the window.
      if (left !== undefined) nextAt = --left * 2 < limit ? now + (resetAt - now) / (left + 1) : 0;
    },
    /** An attempt has ended: learns from the rate limit of its response, if there is one. */
    leave(rateLimit: RateLimit | null | undefined, now: number, underWay: number): void {
      if (rateLimit === undefined || (!rateLimit && left !== undefined)) return;
      // The service document promises a number of requests per minute, but no headers.
      const stated = rateLimit ?? { limit: perMinute, remaining: perMinute - 1, resetAt: now + 60_000 };
      const statedResetAt = Math.min(+stated.resetAt, now + LONGEST_HOLD_MS);
      limit = stated.limit;
      // Responses overtake each other, and count in whole seconds. Within one window, keep the lowest values.
      if (left === undefined || now >= resetAt) {
        left = Infinity;
        resetAt = Infinity;
      }
      left = Math.min(left, stated.remaining - underWay);
      resetAt = Math.min(resetAt, statedResetAt);
      windowMs = Math.max(windowMs, statedResetAt - now);
    },
  };
}
