import { earliest } from '../domain/instant.ts';
import { countDueDeliveries, findOldestDueAt } from '../storage/delivery/due.ts';
import { laneTurns } from '../storage/delivery/lane-turns.ts';
import type { DispatcherTools } from './tools.ts';
import { DUE_COUNT_MAX } from './tuning.ts';

export async function readStatus(
  { storage, clock }: Pick<DispatcherTools, 'storage' | 'clock'>,
  inFlight: () => number,
) {
  const { due, oldestDueAt, turns } = await storage.read(async (queries) => ({
    due: await countDueDeliveries(queries, clock.now(), DUE_COUNT_MAX),
    oldestDueAt: await findOldestDueAt(queries, clock.now()),
    turns: await laneTurns(queries),
  }));
  const here = inFlight();
  const nextTurnAt = earliest(turns.free, turns.held);
  return {
    /** On all nodes, including deliveries in flight. At most 10,000. */
    due,
    /** Without the deliveries in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /** The earliest turn of a lane, at least the current time. Up to 60 s before the lane's next delivery is due. */
    nextTurnAt: nextTurnAt === undefined ? undefined : Math.max(nextTurnAt, clock.now()),
    /** When the oldest due attempt became due, in flight or not. */
    oldestDueAt,
  };
}
