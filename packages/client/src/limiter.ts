import { type ApiError, UsageError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';
import { startTimer } from './timer.ts';

/** Holds attempts back for the sake of the credential's rate limit. One for each client. */
export interface Limiter {
  /**
   * Calls `go` when an attempt may be made, in the order in which they came; gives the function that leaves the queue.
   *
   * Where it has to wait, `held` is told for how long at least, in milliseconds, and by which 429, if it was one. Whatever
   * `held` throws keeps the attempt out of the queue. A queue that is full throws what the call `failed` with before: a
   * {@link UsageError} where it was not sent yet.
   */
  enter(go: () => void, held: (ms: number, by: ApiError | undefined) => void, failed?: unknown): () => void;
  /** An attempt that was let go ended; `rateLimit` is what its answer told, undefined where none came. */
  leave(rateLimit?: RateLimit | null): void;
  /** The 429 `by` asked to wait. Gives whether every attempt now does, for so long. */
  hold(until: number, by: ApiError): boolean;
}

/** Makes a limiter. */
export function createLimiter(mode: NonNullable<ClientOptions['rateLimit']>): Limiter {
  // Neither a time that comes nor a number that is used up.
  const never = 1e15;
  // How many attempts may wait at a time.
  const longestQueue = 1000;
  // A client is not held for longer, whatever one answer asks for: a mistaken header must not stop it for good.
  const longestHoldMs = 600_000;

  const queue = new Set<() => void>();
  let stopTimer = () => {};
  let heldUntil = 0;
  let heldBy: ApiError | undefined;
  let underWay = 0;
  // What `pace` knows: what is left of this window, when it ends, and how long windows are.
  let left: number | undefined;
  let limit = 0;
  let resetAt = 0;
  let windowMs = 0;
  let nextAt = 0;

  /** When the head of the queue may go: in the past if it may now, never while another finds out about the limit. */
  function readyAt(now: number): number {
    if (heldUntil > now) return heldUntil;
    if (mode !== 'pace') return 0;
    if (left === undefined) return underWay && never;
    if (now >= resetAt) {
      left = limit;
      // Until an answer tells when: the service begins the window when the request arrives.
      resetAt = now + windowMs + 1000;
    }
    return left < 1 ? resetAt : nextAt;
  }

  /** Lets go whoever may, and looks again when the next one may. */
  function advance(): void {
    stopTimer();
    for (const go of queue) {
      const now = Date.now();
      const at = readyAt(now);
      if (at > now) {
        // Without a time, the end of an attempt tells.
        if (at < never) stopTimer = startTimer(at - now, advance);
        return;
      }
      if (left !== undefined) {
        left--;
        // The first half of a window goes at once, the second is spread over what is left of it.
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
      // Whoever stands behind all that is left of this window waits for the next one, or for a later one.
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
      if (mode === 'pace' && rateLimit) {
        const now = Date.now();
        const told = Math.min(+rateLimit.resetAt, now + longestHoldMs);
        ({ limit } = rateLimit);
        // Answers overtake each other, and count in whole seconds: inside a window, the least that was told holds.
        if (left === undefined || now >= resetAt) left = resetAt = never;
        left = Math.min(left, rateLimit.remaining - underWay);
        resetAt = Math.min(resetAt, told);
        windowMs = Math.max(windowMs, told - now);
      } else if (rateLimit === null) {
        // Answers that tell no limit: there is none.
        left ??= limit = never;
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
