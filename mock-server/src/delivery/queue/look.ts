import type { Instant } from '../../domain/instant.ts';
import { type DeliveryToSend, loadDueDeliveries } from '../../storage/delivery/queue-places.ts';
import type { Queries } from '../../storage/port.ts';
import { loadTargets, type StoredTarget } from '../../storage/statements/endpoints.ts';
import { together } from '../../storage/together.ts';
import { chooseDue } from '../lanes/attempt-order.ts';
import type { LaneToFill } from '../lanes/lane.ts';

type LaneToRead = Omit<LaneToFill, 'session'>;

export interface FoundDeliveries {
  target: StoredTarget;
  deliveries: DeliveryToSend[];
}

export interface LaneLook {
  /** `undefined` if the lane is empty, or if its endpoint is inactive or deleted. */
  found: FoundDeliveries | undefined;
  mayHaveMore: boolean;
  /** Whether the caller already has a due delivery of the lane in hand. */
  hasInHand: boolean;
  /** Whether the lane has due deliveries although its endpoint is inactive or deleted. */
  mustDisable: boolean;
}

/** Reads the due deliveries of lanes, with everything that an attempt needs. */
export async function lookAtLanes(
  queries: Queries,
  lanes: readonly LaneToRead[],
  now: Instant,
  isSkipped: (deliveryId: string) => boolean,
): Promise<Map<string, LaneLook>> {
  if (lanes.length === 0) return new Map();
  // A look that starts at the head also finds the deliveries in hand, so its limit must include these deliveries.
  const parts = [0, 1].flatMap((retry) =>
    lanes.map(({ endpointId, room, inHand, cameTo }) => {
      const after = cameTo?.[retry];
      return { endpointId, retry, after, limit: after ? room : room + inHand };
    }),
  );
  const [read, targets] = await together([
    loadDueDeliveries(queries, parts, now),
    loadTargets(
      queries,
      lanes.map(({ endpointId }) => endpointId),
      now,
    ),
  ]);
  const due = Map.groupBy(read, ({ place }) => place.endpointId);

  const lookAt = ({ endpointId, room, inHand, cameTo, chosen }: LaneToRead): LaneLook => {
    const inLane = due.get(endpointId) ?? [];
    const free = inLane.filter(({ place }) => !isSkipped(place.deliveryId));
    const isEmpty = inLane.length === 0 && !cameTo;
    const target = targets.get(endpointId);
    return {
      found: target?.active && !isEmpty ? { target, deliveries: chooseDue(free, room, chosen) } : undefined,
      // A look that continues at `cameTo` misses due deliveries before that place, so the lane may have more of them.
      mayHaveMore: free.length > room || inLane.length >= room + inHand || cameTo !== undefined,
      hasInHand: free.length < inLane.length,
      mustDisable: inLane.length > 0 && !target?.active,
    };
  };
  return new Map(lanes.map((lane) => [lane.endpointId, lookAt(lane)]));
}
