import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';

/** Runs the work of a tenant's request as soon as the tenant's quota allows the work. */
export type Quota = <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result>;

/** Thrown if a tenant's quota is used up, and too many of the tenant's requests are waiting. */
export class TooManyWaitingError extends Error {
  override readonly name = 'TooManyWaitingError';
}

interface Limits {
  atOnceMax: number;
  waitingMax?: number;
  totalMax?: number;
  rests?: boolean;
  countsTime?: boolean;
  /** For tests. */
  rest?: (ms: number) => Promise<void>;
}

const REST_FROM_MS = 3;
const REST_MAX_MS = 1_000;

interface Load {
  tenant: string;
  underWay: number;
  waiting: (() => void)[];
  /** The total time of the tenant's requests or, without `countsTime`, their number. Starts at `latestUsed`. */
  used: number;
}

/**
 * Limits how many requests of a tenant run at the same time. Otherwise, a tenant with slow requests on many connections
 * could use up all database connections, or all of the event loop's time.
 *
 * @param waitingMax - Throws {@link TooManyWaitingError} if more requests than this number would wait.
 * @param totalMax - How many requests of all tenants may run at the same time. The next request comes from the tenant
 *   with the fewest running requests. If there are several such tenants, the next request comes from the tenant that
 *   has used the least time. So a client with the keys of many tenants hardly delays other clients.
 * @param rests - Whether a tenant must pause after a request that took 3 ms or more. The pause is as long as the
 *   request, but at most 1 s. With `atOnceMax` 1, the tenant then uses at most half of the event loop's time.
 * @param countsTime - Whether a long request counts more than a short request. Default: true.
 */
export function createQuota({
  atOnceMax,
  waitingMax = Number.POSITIVE_INFINITY,
  totalMax = Number.POSITIVE_INFINITY,
  rests = false,
  countsTime = true,
  rest = (ms) => sleep(ms, undefined, { ref: false }),
}: Limits): Quota {
  const loads = new Map<string, Load>();
  let total = 0;
  /** The highest `used` that any tenant had when one of its requests began. */
  let latestUsed = 0;

  function begin(load: Load): void {
    load.underWay++;
    total++;
    latestUsed = Math.max(latestUsed, load.used);
    loads.delete(load.tenant);
    loads.set(load.tenant, load);
  }

  async function ended(load: Load, tookMs: number): Promise<void> {
    // On SQLite, a request may end within one pass of the event loop. Wait one pass, so that other tenants run first.
    await nextPass();
    load.used += countsTime ? tookMs : 1;
    if (rests && tookMs >= REST_FROM_MS) await rest(Math.min(tookMs, REST_MAX_MS));
    load.underWay--;
    total--;
    const next = nextAfter(load);
    if (next) {
      begin(next);
      next.waiting.shift()?.();
    }
    if (load.underWay === 0 && load.waiting.length === 0) loads.delete(load.tenant);
  }

  /** Returns the load whose request runs next, after a request of `load`. Without `totalMax`, considers only `load`. */
  function nextAfter(load: Load): Load | undefined {
    let next: Load | undefined;
    for (const candidate of totalMax === Number.POSITIVE_INFINITY ? [load] : loads.values()) {
      if (candidate.waiting.length === 0 || candidate.underWay >= atOnceMax) continue;
      if (!next || isBefore(candidate, next)) next = candidate;
    }
    return next;
  }

  return async (tenant, work) => {
    const load = loads.get(tenant) ?? { tenant, underWay: 0, waiting: [], used: latestUsed };
    if (load.underWay < atOnceMax && total < totalMax) begin(load);
    else if (load.waiting.length >= waitingMax) throw new TooManyWaitingError();
    else {
      loads.set(tenant, load);
      await new Promise<void>((resolve) => load.waiting.push(resolve));
    }
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      void ended(load, performance.now() - beganAt);
    }
  };
}

const isBefore = (a: Load, b: Load): boolean =>
  a.underWay < b.underWay || (a.underWay === b.underWay && a.used < b.used);
