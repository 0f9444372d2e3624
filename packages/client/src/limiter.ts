import { UsageError } from './errors.ts';
import type { RateLimit } from './rate-limit.ts';

/** How many attempts may wait at a time. */
const LONGEST_QUEUE = 1000;

/** A client is not held for longer, whatever one answer asks for: a mistaken header must not stop it for good. */
const LONGEST_HOLD_MS = 10 * 60_000;

/** While nothing is known of the limit, one request finds out and the others look again after this time. */
const LOOK_AGAIN_MS = 20;

/** Holds attempts back for the sake of the credential's rate limit. One for each client. */
export interface Limiter {
  /** Lets an attempt go, after as many pauses as it takes. Whatever `pause` throws ends the wait. */
  enter(pause: (ms: number) => Promise<void>): Promise<void>;
  /** An attempt that was let go ended; `rateLimit` is what its answer told, undefined where none came. */
  leave(rateLimit: RateLimit | null | undefined): void;
  /** A 429 asked to wait. */
  hold(until: number): void;
}

/** Makes a limiter. */
export function createLimiter(mode: 'react' | 'pace' | 'off' = 'react'): Limiter {
  let heldUntil = 0;
  let waiting = 0;
  let underWay = 0;
  // What `pace` knows: what is left of this window, when it ends, and how long windows are.
  let left: number | undefined;
  let limit = 0;
  let resetAt = 0;
  let windowMs = 0;
  let nextAt = 0;

  /** How long an attempt has to wait that wants to go now; 0 takes a place. */
  function waitMs(now: number): number {
    if (heldUntil > now) return heldUntil - now;
    if (mode === 'pace') {
      if (left === undefined) return underWay && LOOK_AGAIN_MS;
      if (now >= resetAt) {
        left = limit;
        // Until an answer tells when: the service begins the window when the request arrives.
        resetAt = now + windowMs + 1000;
      }
      const readyAt = left < 1 ? resetAt : nextAt;
      if (readyAt > now) return readyAt - now;
      left--;
      // The first half of a window goes at once, the second is spread over what is left of it.
      nextAt = left * 2 < limit ? now + (resetAt - now) / (left + 1) : 0;
    }
    return 0;
  }

  return {
    async enter(pause) {
      if (waiting >= LONGEST_QUEUE) throw new UsageError('Too many calls wait for the rate limit');
      waiting++;
      try {
        for (let ms = waitMs(Date.now()); ms; ms = waitMs(Date.now())) await pause(ms);
        underWay++;
      } finally {
        waiting--;
      }
    },
    leave(rateLimit) {
      underWay--;
      if (rateLimit) {
        const now = Date.now();
        const told = rateLimit.resetAt.getTime();
        const remaining = rateLimit.remaining - underWay;
        const fresh = left === undefined || now >= resetAt;
        ({ limit } = rateLimit);
        // Answers overtake each other, and count in whole seconds: inside a window, the least that was told holds.
        left = fresh ? remaining : Math.min(left ?? 0, remaining);
        resetAt = fresh ? told : Math.min(resetAt, told);
        windowMs = Math.max(windowMs, told - now);
      } else if (rateLimit === null) {
        // Answers that tell no limit: there is none.
        left ??= limit = Number.POSITIVE_INFINITY;
      }
    },
    hold(until) {
      if (mode !== 'off') heldUntil = Math.max(heldUntil, Math.min(until, Date.now() + LONGEST_HOLD_MS));
    },
  };
}
