import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import { findDueDeliveries, type QueuePlace } from '../storage/statements/find-due-deliveries.ts';
import { type DeliveryToSend, loadDeliveries } from '../storage/statements/load-deliveries.ts';
import { loadTargets, type StoredTarget } from '../storage/statements/load-targets.ts';
import { together } from '../storage/together.ts';
import { chooseDue } from './choose-due.ts';

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
  /** Lanes in which something is due though their endpoint is inactive or deleted. */
  closed: Set<string>;
  /** Places in the queue of deliveries that are no more. */
  missing: QueuePlace[];
}

/** Reads what is due at `now` in lanes that the caller holds, with all that an attempt needs. */
export async function takeDue(
  queries: Queries,
  lanes: readonly LaneWithRoom[],
  now: Instant,
  isInHand: (deliveryId: string) => boolean,
): Promise<TakeResult> {
  const seen = lanes.map(({ endpointId, room, inHand }) => ({ endpointId, limit: room + inHand }));
  const due = Map.groupBy(await findDueDeliveries(queries, seen, now), ({ endpointId }) => endpointId);

  const withMore = new Set<string>();
  const withInHand = new Set<string>();
  const chosen: QueuePlace[] = [];
  for (const { endpointId, room, inHand } of lanes) {
    const found = due.get(endpointId) ?? [];
    const free = found.filter(({ deliveryId }) => !isInHand(deliveryId));
    if (free.length < found.length) withInHand.add(endpointId);
    if (free.length > room || found.length >= room + inHand) withMore.add(endpointId);
    chosen.push(...chooseDue(free, room));
  }
  const [targets, loaded] = await together([
    loadTargets(queries, [...due.keys()], now),
    loadDeliveries(queries, chosen),
  ]);

  const taken = new Map<string, TakenDeliveries>();
  const closed = new Set<string>();
  for (const endpointId of due.keys()) {
    const target = targets.get(endpointId);
    if (target?.active) taken.set(endpointId, { target, deliveries: [] });
    else closed.add(endpointId);
  }
  for (const delivery of loaded) taken.get(delivery.endpointId)?.deliveries.push(delivery);
  const known = new Set(loaded.map(({ id }) => id));
  return { taken, withMore, withInHand, closed, missing: chosen.filter(({ deliveryId }) => !known.has(deliveryId)) };
}
