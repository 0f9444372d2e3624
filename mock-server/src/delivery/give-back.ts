import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import type { ClaimedLane } from '../storage/statements/claim-lanes.ts';
import { disableDeliveries } from '../storage/statements/disable-deliveries.ts';
import { findDueDeliveries } from '../storage/statements/find-due-deliveries.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { releaseLanes } from '../storage/statements/release-lanes.ts';
import { removeFromQueue } from '../storage/statements/remove-from-queue.ts';
import { DISABLED_BATCH } from './limits.ts';

/** What a look at the queue left to be put right. */
export interface GiveBackOrder {
  /** Lanes to give back. */
  done: readonly ClaimedLane[];
  /** Lanes with something due whose endpoint is inactive or deleted: it ends `disabled`. */
  closed: readonly ClaimedLane[];
  /** Places in the queue of deliveries that are no more. */
  missing: readonly string[];
  now: Instant;
  isInHand(deliveryId: string): boolean;
}

/**
 * Ends what is due to endpoints that take nothing any more, and gives lanes back that have nothing left to do, inside the
 * caller's transaction. A lane that is not held any more under the given token is left alone.
 */
export async function giveBack(queries: Queries, order: GiveBackOrder): Promise<void> {
  // Lanes are touched before the queue in every transaction: `insertDeliveries` says why.
  const ids = [...order.done, ...order.closed].map(({ endpointId }) => endpointId);
  const tokens = await lockLanes(queries, [...new Set(ids)]);
  const holds = (lane: ClaimedLane) => tokens.get(lane.endpointId) === lane.leaseToken;
  await removeFromQueue(queries, order.missing);
  await disableDue(queries, order.closed.filter(holds), order);
  await releaseLanes(queries, order.done.filter(holds), order.now);
}

async function disableDue(
  queries: Queries,
  lanes: readonly ClaimedLane[],
  { now, isInHand }: Pick<GiveBackOrder, 'now' | 'isInHand'>,
): Promise<void> {
  const due = await findDueDeliveries(
    queries,
    lanes.map(({ endpointId }) => ({ endpointId, limit: DISABLED_BATCH })),
    now,
  );
  const ids = due.map(({ deliveryId }) => deliveryId).filter((id) => !isInHand(id));
  await disableDeliveries(queries, ids);
  await removeFromQueue(queries, ids);
}
