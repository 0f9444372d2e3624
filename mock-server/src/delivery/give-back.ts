import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import type { ClaimedLane } from '../storage/statements/claim-lanes.ts';
import { disableDeliveries } from '../storage/statements/disable-deliveries.ts';
import { findDueDeliveries, type QueuePlace } from '../storage/statements/find-due-deliveries.ts';
import { lockFreeLanes } from '../storage/statements/lock-free-lanes.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { passOnLanes } from '../storage/statements/pass-on-lanes.ts';
import { releaseLanes } from '../storage/statements/release-lanes.ts';
import { removeFromQueue } from '../storage/statements/remove-from-queue.ts';
import { DISABLED_BATCH } from './limits.ts';

/** What a look at the queue left to be put right. */
export interface GiveBackOrder {
  /** Lanes to give back, as nothing is left to do here, and whether they may stay where an event is being stored for them. */
  done: readonly (ClaimedLane & { mayStay: boolean })[];
  /** Lanes with something due whose endpoint is inactive or deleted: it ends `disabled`. */
  closed: readonly ClaimedLane[];
  /** Places in the queue of deliveries that are no more. */
  missing: readonly QueuePlace[];
  now: Instant;
  isInHand(deliveryId: string): boolean;
}

/**
 * Ends what is due to endpoints that take nothing any more, and gives lanes back that have nothing left to do, inside the
 * caller's transaction. A lane that is not held any more under the given token is left alone.
 *
 * @returns the endpoints whose lanes stay: there will be work in them at once.
 */
export async function giveBack(queries: Queries, order: GiveBackOrder): Promise<Set<string>> {
  const tokens = await lockLanes(
    queries,
    order.closed.map(({ endpointId }) => endpointId),
  );
  const closed = order.closed.filter((lane) => tokens.get(lane.endpointId) === lane.leaseToken);
  await removeFromQueue(queries, order.missing);
  await disableDue(queries, closed, order);

  // `touchLanes` says why this comes before the look at the queue that a release begins with.
  const free = await lockFreeLanes(queries, order.done);
  const isFree = ({ endpointId }: ClaimedLane) => free.has(endpointId);
  const touched = order.done.filter((lane) => !isFree(lane));
  const leaving = touched.filter(({ mayStay }) => !mayStay);
  await releaseLanes(queries, order.done.filter(isFree), order.now);
  await passOnLanes(queries, leaving, order.now);
  return new Set(touched.flatMap(({ endpointId, mayStay }) => (mayStay ? [endpointId] : [])));
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
  const places = due.filter(({ deliveryId }) => !isInHand(deliveryId));
  await disableDeliveries(
    queries,
    places.map(({ deliveryId }) => deliveryId),
  );
  await removeFromQueue(queries, places);
}
