import { countDueDeliveries, findOldestDueAt } from '../storage/delivery/due.ts';
import { laneTurns } from '../storage/delivery/lane-turns.ts';
import type { DispatcherTools } from './tools.ts';
import { DUE_COUNT_MAX } from './tuning.ts';

/**
 * Reads the state of the delivery engine.
 *
 * @param inFlight - Returns the number of attempts in flight on this node.
 */
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
    /** The number of attempts that are due now on all nodes, including attempts in flight. Stops at 10,000. */
    due,
    /** The number of attempts that are due now, without the attempts in flight on this node. */
    pending: Math.max(0, due - here),
    inFlight: here,
    /**
     * The time of the next lane's turn, or the current time if that turn has already come. If the lane's next delivery
     * waits for its first attempt, the lane's turn comes 60 s before the delivery is due.
     */
    nextTurnAt: next === undefined ? undefined : Math.max(next, clock.now()),
    /**
     * The time when the oldest due attempt became due, whether or not it is in flight. The engine's lag is the time
     * since that moment.
     */
    oldestDueAt,
  };
}
