import { RATE_LIMIT_WINDOW_MS } from '@svc/contract';
import type { Storage } from '../storage/port.ts';
import { type RequestWindow, takeRequest } from '../storage/statements/rate-limit-windows.ts';

/** Counts requests in fixed windows. A window begins with the first request after the end of the previous window. */
export type RateLimiter = (credentialId: string, limit: number) => Promise<RequestWindow>;

/** The count is exact if only one process serves the API. `now` is a monotonic clock in milliseconds. */
export function createMemoryRateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, { startedAt: number; taken: number }>();

  return async (credentialId, limit) => {
    const at = now();
    for (const [known, window] of windows) {
      if (at - window.startedAt < RATE_LIMIT_WINDOW_MS) break;
      windows.delete(known);
    }
    const { startedAt, taken } = windows.get(credentialId) ?? { startedAt: at, taken: 0 };
    const window = { startedAt, taken: Math.min(taken, limit) + 1 };
    windows.set(credentialId, window);
    return { taken: window.taken, endsInMs: RATE_LIMIT_WINDOW_MS - (at - startedAt) };
  };
}

/** The count is exact for all nodes that share the database. */
export const createSharedRateLimiter =
  (storage: Pick<Storage, 'read'>): RateLimiter =>
  (credentialId, limit) =>
    // A single statement needs no transaction.
    storage.read((queries) => takeRequest(queries, { credentialId, limit, windowMs: RATE_LIMIT_WINDOW_MS }));
