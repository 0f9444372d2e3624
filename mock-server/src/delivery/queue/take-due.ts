import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../../storage/port.ts';
import { loadTargets, type StoredTarget } from '../../storage/statements/endpoints.ts';
import { type DeliveryToSend, loadDueDeliveries, type QueuePlace } from '../../storage/statements/queue/take.ts';
import { together } from '../../storage/together.ts';
import { chooseDue } from '../lanes/turn-order.ts';

/** A lane with free slots. */
export interface LaneWithRoom {
  endpointId: string;
  room: number;
  /** Deliveries of the lane that the caller already has. */
  inHand: number;
  /** Where an earlier look stopped, for first attempts and for retries. Deliveries in hand come before that place. */
  cameTo?: CameTo | undefined;
}

/** A place in each part of a lane. Undefined means the head of that part. */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

/** The deliveries found in a lane. */
export interface TakenDeliveries {
  target: StoredTarget;
  deliveries: DeliveryToSend[];
}

/** What {@link takeDue} found. */
export interface TakeResult {
  taken: Map<string, TakenDeliveries>;
  /** Lanes that may have more due deliveries than there was room for. */
  withMore: Set<string>;
  /** Lanes with a due delivery that the caller already has. */
  withInHand: Set<string>;
  /** Lanes with due deliveries whose endpoint is inactive or deleted. */
  closed: Set<string>;
}

/** Reads what is due at `now` in the caller's lanes, with everything that an attempt needs. */
export async function takeDue(
  queries: Queries,
  lanes: readonly LaneWithRoom[],
  now: Instant,
  isInHand: (deliveryId: string) => boolean,
): Promise<TakeResult> {
  if (lanes.length === 0) return { taken: new Map(), withMore: new Set(), withInHand: new Set(), closed: new Set() };
  // Returns the first attempts of all lanes, then the retries of all lanes. Deliveries in hand may come before the rest
  // and are skipped.
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
  for (const { endpointId, room, inHand, cameTo } of lanes) {
    const inLane = due.get(endpointId) ?? [];
    const free = inLane.filter(({ place }) => !isInHand(place.deliveryId));
    if (free.length < inLane.length) withInHand.add(endpointId);
    // Only a look from the head finds deliveries that were stored before the place where an earlier look stopped.
    if (free.length > room || inLane.length >= room + inHand || cameTo) withMore.add(endpointId);
    if (inLane.length === 0 && !cameTo) continue;
    const target = targets.get(endpointId);
    if (target?.active) taken.set(endpointId, { target, deliveries: chooseDue(free, room) });
    else if (inLane.length > 0) closed.add(endpointId);
  }
  return { taken, withMore, withInHand, closed };
}
