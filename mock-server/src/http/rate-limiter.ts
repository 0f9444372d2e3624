import { RATE_LIMIT_WINDOW_MS } from '@svc/contract';
import type { Storage } from '../storage/port.ts';
import { takeRequest } from '../storage/statements/take-request.ts';

/** The state of a credential's window after a request. `admit` in `operation.ts` sends it in the response's headers. */
export interface RateLimitState {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** The number of whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/**
 * Counts requests for each credential in fixed windows. A window begins with the first request after the previous one.
 */
export interface RateLimiter {
  take(credentialId: string, limit: number): Promise<RateLimitState>;
}

/**
 * Counts requests in memory. The count is exact if only one process serves the API. Rate limits use real time: `now` is
 * a monotonic clock in milliseconds, so the virtual clock has no effect.
 */
export function createMemoryRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, { startedAt: number; taken: number }>();

  function windowOf(credentialId: string, at: number) {
    const current = windows.get(credentialId);
    if (current && at - current.startedAt < RATE_LIMIT_WINDOW_MS) return current;
    const fresh = { startedAt: at, taken: 0 };
    // Delete the old window first, so that the map stays sorted by the start of the windows.
    windows.delete(credentialId);
    windows.set(credentialId, fresh);
    return fresh;
  }

  function dropEnded(at: number): void {
    for (const [credentialId, window] of windows) {
      if (at - window.startedAt < RATE_LIMIT_WINDOW_MS) return;
      windows.delete(credentialId);
    }
  }

  return {
    async take(credentialId, limit) {
      const at = now();
      dropEnded(at);
      const window = windowOf(credentialId, at);
      const admitted = window.taken < limit;
      if (admitted) window.taken++;
      return {
        admitted,
        limit,
        remaining: limit - window.taken,
        resetSeconds: Math.max(1, Math.ceil((RATE_LIMIT_WINDOW_MS - (at - window.startedAt)) / 1000)),
      };
    },
  };
}

/** Keeps the count of requests in the database, so that the count is exact for all nodes that share the database. */
export function createSharedRateLimiter(storage: Pick<Storage, 'read'>): RateLimiter {
  return {
    async take(credentialId, limit) {
      const { taken, endsInMs } = await storage.read((queries) =>
        takeRequest(queries, { credentialId, limit, windowMs: RATE_LIMIT_WINDOW_MS }),
      );
      return {
        admitted: taken <= limit,
        limit,
        remaining: Math.max(0, limit - taken),
        resetSeconds: Math.max(1, Math.ceil(endsInMs / 1000)),
      };
    },
  };
}
