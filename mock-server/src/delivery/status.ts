import type { Instant } from '../domain/instant.ts';
import { laneTurns } from '../storage/statements/lanes/turns.ts';
import { countDueDeliveries, findOldestDueAt } from '../storage/statements/queue/due.ts';
import { PENDING_COUNT_MAX } from './limits.ts';
import type { DispatcherTools } from './tools.ts';

/** The state of the delivery engine. */
export interface DeliveryEngineStatus {
  /** The number of attempts that are due now on all nodes, including attempts in flight. The count stops at 10,000. */
  due: number;
  /**
   * The number of due attempts, not counting attempts in flight on this node. Attempts in flight on other nodes are
   * included.
   */
  pending: number;
  inFlight: number;
  nextDueAt: Instant | undefined;
  /**
   * When the oldest due attempt became due. Attempts in flight count. The engine's lag is the time since then.
   */
  oldestDueAt: Instant | undefined;
}

/** @param inFlight - Returns the number of attempts in flight on this node. */
export async function readStatus(
  { storage, clock }: Pick<DispatcherTools, 'storage' | 'clock'>,
  inFlight: () => number,
): Promise<DeliveryEngineStatus> {
  const { due, oldestDueAt } = await storage.read(async (queries) => ({
    due: await countDueDeliveries(queries, clock.now(), PENDING_COUNT_MAX),
    oldestDueAt: await findOldestDueAt(queries, clock.now()),
  }));
  const here = inFlight();
  const { free, held } = await storage.read(laneTurns);
  const next = free === undefined || held === undefined ? (free ?? held) : Math.min(free, held);
  // The turn of a first attempt is earlier than its due time, so the turn may be in the past.
  const nextDueAt = next === undefined ? undefined : Math.max(next, clock.now());
  return { due, pending: Math.max(0, due - here), inFlight: here, nextDueAt, oldestDueAt };
}
