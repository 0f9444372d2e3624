import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import type { QueuePlace } from '../storage/statements/find-due-deliveries.ts';
import { type DeliveryToSend, loadDueDeliveries } from '../storage/statements/load-due-deliveries.ts';
import { loadTargets, type StoredTarget } from '../storage/statements/load-targets.ts';
import { together } from '../storage/together.ts';
import { chooseDue } from './choose-due.ts';

/** A lane that has slots free. */
export interface LaneWithRoom {
  endpointId: string;
  room: number;
  /** Deliveries of the lane that are in the caller's hands already. */
  inHand: number;
  /** Where an earlier look came to, in the first attempts and in the retries; what is in hand stands before it. */
  cameTo?: CameTo | undefined;
}

/** A place in each part of a lane; undefined for the part's head. */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

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
  // First attempts of all lanes, then retries of all. What is in hand is passed over, and may stand before the rest.
  const parts = [0, 1].flatMap((retry) =>
    lanes.map(({ endpointId, room, inHand, cameTo }) => {
      const after = cameTo?.[retry];
      return { endpointId, retry, after, limit: after ? room : room + inHand };
    }),
  );
  const [found, targets] = await together([
    loadDueDeliveries(queries, parts, now),
    loadTargets(
      queries,
      lanes.map(({ endpointId }) => endpointId),
      now,
    ),
  ]);
  const due = Map.groupBy(found, ({ place }) => place.endpointId);

  const taken = new Map<string, TakenDeliveries>();
  const withMore = new Set<string>();
  const withInHand = new Set<string>();
  const closed = new Set<string>();
  const missing: QueuePlace[] = [];
  for (const { endpointId, room, inHand, cameTo } of lanes) {
    const inLane = due.get(endpointId) ?? [];
    const free = inLane.filter(({ place }) => !isInHand(place.deliveryId));
    if (free.length < inLane.length) withInHand.add(endpointId);
    // What was put before the place to which an earlier look came is found from the head.
    if (free.length > room || inLane.length >= room + inHand || cameTo) withMore.add(endpointId);
    if (inLane.length === 0 && !cameTo) continue;
    const chosen = chooseDue(free, room);
    for (const { place, delivery } of chosen) if (!delivery) missing.push(place);
    const target = targets.get(endpointId);
    if (target?.active) taken.set(endpointId, { target, deliveries: chosen.flatMap(({ delivery }) => delivery ?? []) });
    else if (inLane.length > 0) closed.add(endpointId);
  }
  return { taken, withMore, withInHand, closed, missing };
}
