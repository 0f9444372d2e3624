import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import { disableDeliveries } from '../storage/statements/disable-deliveries.ts';
import { type DueDelivery, findDueDeliveries } from '../storage/statements/find-due-deliveries.ts';
import { type DeliveryToSend, loadDeliveries } from '../storage/statements/load-deliveries.ts';
import { loadTargets, type StoredTarget } from '../storage/statements/load-targets.ts';
import { removeFromQueue } from '../storage/statements/remove-from-queue.ts';
import { chooseDue } from './choose-due.ts';
import { DISABLED_BATCH } from './limits.ts';

/** A lane that has slots free. */
export interface LaneWithRoom {
  endpointId: string;
  room: number;
  /** Deliveries of the lane that are in the caller's hands already. */
  inHand: number;
}

/** What a lane gives. */
export interface TakenDeliveries {
  target: StoredTarget;
  deliveries: DeliveryToSend[];
}

/** What {@link takeDue} found. */
export interface TakeResult {
  taken: Map<string, TakenDeliveries>;
  /** Lanes in which more may be due than there was room for. */
  withMore: Set<string>;
  /** Lanes in which something is due that the caller has in hand already. */
  withInHand: Set<string>;
}

/**
 * Takes what is due at `now` from lanes that the caller holds, with all that an attempt needs. What is due to an
 * endpoint that is inactive or deleted ends `disabled` instead.
 */
export async function takeDue(
  queries: Queries,
  lanes: readonly LaneWithRoom[],
  now: Instant,
  isInHand: (deliveryId: string) => boolean,
): Promise<TakeResult> {
  const seen = lanes.map(({ endpointId, room, inHand }) => ({ endpointId, limit: room + inHand }));
  const due = Map.groupBy(await findDueDeliveries(queries, seen, now), ({ endpointId }) => endpointId);
  const targets = await loadTargets(queries, [...due.keys()], now);

  const result: TakeResult = { taken: new Map(), withMore: new Set(), withInHand: new Set() };
  const chosen: DueDelivery[] = [];
  const closed: string[] = [];
  for (const { endpointId, room, inHand } of lanes) {
    const found = due.get(endpointId);
    if (found === undefined) continue;
    const target = targets.get(endpointId);
    if (!target?.active) {
      closed.push(endpointId);
      continue;
    }
    const free = found.filter(({ deliveryId }) => !isInHand(deliveryId));
    if (free.length < found.length) result.withInHand.add(endpointId);
    if (free.length > room || found.length >= room + inHand) result.withMore.add(endpointId);
    chosen.push(...chooseDue(free, room));
    result.taken.set(endpointId, { target, deliveries: [] });
  }

  const ids = chosen.map(({ deliveryId }) => deliveryId);
  const loaded = await loadDeliveries(queries, ids);
  for (const delivery of loaded) result.taken.get(delivery.endpointId)?.deliveries.push(delivery);
  if (loaded.length < ids.length) {
    const known = new Set(loaded.map(({ id }) => id));
    await removeFromQueue(
      queries,
      ids.filter((id) => !known.has(id)),
    );
  }
  await disableDue(queries, closed, now, isInHand);
  return result;
}

async function disableDue(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
  isInHand: (deliveryId: string) => boolean,
): Promise<void> {
  const lanes = endpointIds.map((endpointId) => ({ endpointId, limit: DISABLED_BATCH }));
  const due = await findDueDeliveries(queries, lanes, now);
  const ids = due.map(({ deliveryId }) => deliveryId).filter((id) => !isInHand(id));
  await disableDeliveries(queries, ids);
  await removeFromQueue(queries, ids);
}
