import { setImmediate as nextPass } from 'node:timers/promises';
import { unavailable } from './errors.ts';

/** Runs the work of a tenant's request, which reads or writes. */
export type FairShare = <Result>(tenant: string, isRead: boolean, work: () => Promise<Result>) => Promise<Result>;

const TOO_MANY = 'Too many requests of this client are waiting. Nothing was changed; send fewer at once.';

interface Limits {
  atOnceMax: number;
  limitsWrites: boolean;
  waitingMax?: number;
}

/**
 * Lets the requests of a tenant wait for each other while `atOnceMax` of them are under way. Otherwise a tenant could
 * take all connections to the database, or all time of the event loop, with slow requests on many connections.
 *
 * @param limitsWrites - Whether writes wait too. On SQLite, they do not have to: a write waits for the single writer
 * without holding a connection or the event loop, and the limits of the intake bound those that wait.
 * @param waitingMax - How many requests of a tenant may wait. The next one is rejected with 503.
 */
export function createFairShare({ atOnceMax, limitsWrites, waitingMax = Number.POSITIVE_INFINITY }: Limits): FairShare {
  /** The tenants that have requests under way. */
  const shares = new Map<string, { underWay: number; waiting: (() => void)[] }>();

  async function ended(tenant: string): Promise<void> {
    // On SQLite, a request may end before the event loop continues. Requests of others come first.
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
