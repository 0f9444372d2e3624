import { countDueDeliveries, findEarliestDueAt } from '../storage/delivery/due.ts';
import { together } from '../storage/together.ts';
import type { DispatcherTools } from './tools.ts';
import { DUE_COUNT_MAX } from './tuning.ts';

/** Counts the engine's work. Whether the engine reaches the database is known to the dispatcher (`isHealthy`). */
export async function readStatus(
  { storage, clock }: Pick<DispatcherTools, 'storage' | 'clock'>,
  inFlight: () => number,
) {
  const now = clock.now();
  const [due, earliestDueAt] = await storage.read((queries) =>
    together([countDueDeliveries(queries, now, DUE_COUNT_MAX), findEarliestDueAt(queries)]),
  );
  const here = inFlight();
  return {
    /** On all nodes, including deliveries in flight. At most 10,000. */
    due,
    /** Without the deliveries in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /** When the next attempt is due: now, if one is due or in flight already. */
    nextDueAt: earliestDueAt && Math.max(earliestDueAt, now),
    /** When the oldest due attempt became due, in flight or not. */
    oldestDueAt: earliestDueAt !== undefined && earliestDueAt <= now ? earliestDueAt : undefined,
  };
}
