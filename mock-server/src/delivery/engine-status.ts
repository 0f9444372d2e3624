import { countDueDeliveries, findOldestDueAt } from '../storage/delivery/due.ts';
import { laneTurns } from '../storage/delivery/lane-turns.ts';
import type { DispatcherTools } from './tools.ts';
import { DUE_COUNT_MAX } from './tuning.ts';

export async function readStatus(
  { storage, clock }: Pick<DispatcherTools, 'storage' | 'clock'>,
  inFlight: () => number,
) {
  const { due, oldestDueAt } = await storage.read(async (queries) => ({
    due: await countDueDeliveries(queries, clock.now(), DUE_COUNT_MAX),
    oldestDueAt: await findOldestDueAt(queries, clock.now()),
  }));
  const here = inFlight();
  const { free, held } = await storage.read(laneTurns);
  const [next] = [free, held].filter((at) => at !== undefined).sort((a, b) => a - b);
  return {
    /** The number of due deliveries on all nodes, including those in flight. At most 10,000. */
    due,
    /** Like `due`, without the deliveries in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /**
     * The earliest turn of a lane, or the current time if that turn has already come. If the lane's next delivery waits
     * for its first attempt, the turn comes 60 s before the delivery is due.
     */
    nextTurnAt: next === undefined ? undefined : Math.max(next, clock.now()),
    /**
     * When the oldest due attempt became due, whether or not it is in flight. The engine's lag is the time since then.
     */
    oldestDueAt,
  };
}
