import type { TakenDeliveries } from '../queue/take-due.ts';
import { freshPlaces, furthest, type LookStart } from './lane.ts';
import type { LaneParts } from './parts.ts';

/** Filling lanes with the deliveries that a look at the queue found. */
export function createFilling({ lanes, inHand, rotation }: LaneParts) {
  return {
    fill(
      endpointId: string,
      { target, deliveries }: TakenDeliveries,
      look: LookStart & { mayHaveMore: boolean; startedAt: number },
    ): void {
      const { startedAt: now } = look;
      const lane = lanes.get(endpointId);
      if (!lane || lane.changes !== look.changes) return;
      for (const delivery of deliveries) {
        inHand.add(delivery.id);
        lane.workspaceId = delivery.workspaceId;
        lane.ready.push({ delivery, readAt: now });
      }
      lane.target = target;
      // A look that began before a count was stored does not show that count.
      lane.isFailing = target.isFailing || lane.uncounted > 0 || now <= lane.countedAt;
      const { places = [undefined, undefined], since = now } = freshPlaces(lane, now) ?? {};
      // Start the next look at the head if this one found nothing. Do the same if deliveries were discarded since this
      // look began, because the look skipped them.
      const goesOn = deliveries.length > 0 && look.drops === lane.drops;
      lane.cameTo = goesOn ? { places: furthest(places, deliveries), since } : undefined;
      lane.mayHaveMore = look.mayHaveMore || look.drops !== lane.drops;
      rotation.join(lane);
    },
  };
}
