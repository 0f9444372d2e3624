import { countDueDeliveries, findEarliestDueAt } from '../storage/delivery/due.ts';
import { together } from '../storage/together.ts';
import type { DispatcherTools } from './tools.ts';
import { DUE_COUNT_MAX } from './tuning.ts';

/** Reads how much work there is and when it is due. The dispatcher's `isHealthy` reports an unreachable database. */
export async function readStatus(
  { storage, clock }: Pick<DispatcherTools, 'storage' | 'clock'>,
  inFlight: () => number,
) {
  const now = clock.now();
  const [due, earliestDueAt] = await storage.read((queries) =>
    together([countDueDeliveries(queries, { at: now, limit: DUE_COUNT_MAX }), findEarliestDueAt(queries)]),
  );
  const here = inFlight();
  return {
    /** The number of due deliveries on all nodes, including deliveries in flight. At most 10,000. */
    due,
    /** Like `due`, but without the deliveries that are in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /** When the next attempt is due: the current time if an attempt is already due or in flight. */
    nextDueAt: earliestDueAt && Math.max(earliestDueAt, now),
    /** When the oldest due attempt became due, even if the attempt is already in flight. */
    oldestDueAt: earliestDueAt !== undefined && earliestDueAt <= now ? earliestDueAt : undefined,
  };
}
