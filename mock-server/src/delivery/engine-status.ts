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
    /** On all nodes, including deliveries in flight. At most 10,000. */
    due,
    /** Without the deliveries in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /** The earliest turn of a lane, at least the current time. Up to 60 s before the lane's next delivery is due. */
    nextTurnAt: next === undefined ? undefined : Math.max(next, clock.now()),
    /** When the oldest due attempt became due, in flight or not. */
    oldestDueAt,
  };
}
