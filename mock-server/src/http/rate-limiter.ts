import { RATE_LIMIT_WINDOW_MS } from '@svc/contract';
import type { Storage } from '../storage/port.ts';
import { takeRequest } from '../storage/statements/take-request.ts';

/** What is left of a credential's window after a request. */
export interface RateLimitState {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/** Counts requests per credential, in fixed windows that begin with the first request after the last one ended. */
export interface RateLimiter {
  take(credentialId: string, limit: number): Promise<RateLimitState>;
}

/**
 * Counts in memory: exact for a server of one process.
 *
 * @param now - A monotonic clock in milliseconds; limits run on real time whatever the virtual clock does.
 */
export function createMemoryRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, { startedAt: number; taken: number }>();

  function windowOf(credentialId: string, at: number) {
    const current = windows.get(credentialId);
    if (current && at - current.startedAt < RATE_LIMIT_WINDOW_MS) return current;
    const fresh = { startedAt: at, taken: 0 };
    // Deleting first keeps the map in the order of the windows' beginnings, so that ended ones are found at its front.
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

/** Counts in the database: exact for all nodes that share it. */
export function createSharedRateLimiter(storage: Pick<Storage, 'read'>): RateLimiter {
  return {
    async take(credentialId, limit) {
      // One statement, so it needs no transaction around it.
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
