import { DELIVERY_TIMEOUT_MS } from '@svc/contract';
import { GONE_LOOK_INTERVAL_MS, READY_MS } from './limits.ts';

/** The nodes on the database, as one of them sees them. */
export interface SeenNodes {
  /** This node's name among them, under which it holds lanes; undefined where they cannot see whether it is connected. */
  ownName: string | undefined;
  /** The names of all nodes that are connected now, this one included. */
  findConnected(): Promise<ReadonlySet<string>>;
}

/**
 * A node without a connection starts what it has read already, and no more. After this time everything that it had in
 * flight has ended, so no attempt overlaps with the next one of the same delivery.
 */
const GONE_AFTER_MS = DELIVERY_TIMEOUT_MS + 2 * READY_MS;

/**
 * Finds nodes that died while they held lanes. Returns a function to call at each look at the queue: it looks once a second,
 * and resolves with the nodes that have had no connection for 12 s.
 *
 * @param findHolders - The names of the nodes that hold lanes.
 */
export function createGoneNodes(seen: SeenNodes | undefined, findHolders: () => Promise<readonly string[]>) {
  /** Since when nodes that hold lanes are not connected, on the process's monotonic clock. */
  let missingSince = new Map<string, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  return async (): Promise<string[]> => {
    const now = performance.now();
    // Behind a pooler, this node cannot see the others either.
    if (seen?.ownName === undefined || now - lookedAt < GONE_LOOK_INTERVAL_MS) return [];
    lookedAt = now;
    const holders = await findHolders();
    if (holders.every((holder) => holder === seen.ownName)) {
      missingSince = new Map();
      return [];
    }
    const connected = await seen.findConnected();
    const missing = holders.filter((holder) => !connected.has(holder));
    missingSince = new Map(missing.map((holder) => [holder, missingSince.get(holder) ?? now]));
    return missing.filter((holder) => now - (missingSince.get(holder) ?? now) >= GONE_AFTER_MS);
  };
}
