import type { RateLimit } from './rate-limit.ts';

/** Holds calls back for the sake of the credential's rate limit. */
export interface Limiter {
  /** How long a call that wants to go now has to wait, in milliseconds; 0 takes a place at once. */
  waitMs(now: number): number;
  /** An answer told where the limit stands. */
  told(rateLimit: RateLimit, now: number): void;
  /** A 429 asked to wait. */
  refused(until: number): void;
}

/** Makes a limiter for one client. */
export function createLimiter(mode: 'react' | 'pace' | 'off'): Limiter {
  let heldUntil = 0;
  return {
    waitMs: (now) => Math.max(0, heldUntil - now),
    told() {},
    refused(until) {
      if (mode !== 'off') heldUntil = Math.max(heldUntil, until);
    },
  };
}
