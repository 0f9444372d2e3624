import { setImmediate as nextPass } from 'node:timers/promises';
import { unavailable } from './errors.ts';

/** Runs the work of a tenant's request, possibly after a wait for the tenant's other requests. */
export type FairShare = <Result>(tenant: string, isRead: boolean, work: () => Promise<Result>) => Promise<Result>;

const TOO_MANY =
  'Too many requests of this client are waiting. Nothing was changed; send fewer requests at the same time.';

interface Limits {
  atOnceMax: number;
  limitsWrites: boolean;
  waitingMax?: number;
}

/**
 * Makes a tenant's requests wait while `atOnceMax` of the tenant's requests are running. Otherwise, a tenant could use
 * up all database connections, or all time of the event loop, with slow requests on many connections.
 *
 * @param limitsWrites - Whether writes also wait. On SQLite, writes do not have to wait here: a write waits for the
 *   single writer without holding a connection or the event loop, and the intake limits the number of waiting writes.
 * @param waitingMax - How many requests of a tenant may wait. Additional requests are rejected with 503.
 */
export function createFairShare({ atOnceMax, limitsWrites, waitingMax = Number.POSITIVE_INFINITY }: Limits): FairShare {
  /** The running and waiting requests of each tenant. */
  const shares = new Map<string, { underWay: number; waiting: (() => void)[] }>();

  async function ended(tenant: string): Promise<void> {
    // Let the requests of other tenants run first: on SQLite, a request may end before the event loop continues.
    await nextPass();
    const share = shares.get(tenant);
    const next = share?.waiting.shift();
    if (!share || next) return next?.();
    share.underWay--;
    if (share.underWay === 0) shares.delete(tenant);
  }

  return async (tenant, isRead, work) => {
    if (!isRead && !limitsWrites) return await work();
    const share = shares.get(tenant) ?? { underWay: 0, waiting: [] };
    shares.set(tenant, share);
    if (share.underWay < atOnceMax) share.underWay++;
    else if (share.waiting.length >= waitingMax) throw unavailable(TOO_MANY);
    else await new Promise<void>((resolve) => share.waiting.push(resolve));
    try {
      return await work();
    } finally {
      void ended(tenant);
    }
  };
}
