import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import type { DeliveryToSend } from '../../storage/statements/queue/take.ts';
import { type HeldLane, isStale } from './lane.ts';
import type { LaneParts } from './parts.ts';
import { countStart } from './start-rate.ts';

/** A delivery to attempt now. */
export interface NextAttempt {
  lane: HeldLane;
  target: StoredTarget;
  delivery: DeliveryToSend;
  /** Whether the delivery uses one of the slots for slow endpoints. */
  slow: boolean;
}

/** What the start and the end of attempts change in the lanes of this node. */
export function createAttempts({ inHand, paces, rotation, dropReady }: LaneParts) {
  return {
    /**
     * Takes the next delivery to attempt if a slot is free. Workspaces rotate, and so do the lanes of each workspace.
     */
    start(now: number): NextAttempt | undefined {
      for (let lane = rotation.next(); lane; lane = rotation.next()) {
        if (isStale(lane, now)) {
          dropReady(lane);
          continue;
        }
        const next = lane.ready.shift();
        if (!next || !lane.target) continue;
        countStart(lane.startRate, now);
        lane.inFlight++;
        rotation.started(lane);
        rotation.join(lane);
        return { lane, target: lane.target, delivery: next.delivery, slow: lane.pace.slow };
      }
      return undefined;
    },

    /**
     * @returns what the database is needed for now: `slot` if storing the result would free a needed slot, `lane` if
     *   the lane needs more deliveries.
     */
    ended(attempt: NextAttempt, outcome: { responded: boolean; durationMs: number }): 'slot' | 'lane' | undefined {
      const { lane } = attempt;
      rotation.ended(attempt);
      rotation.leave(lane);
      lane.pace = paces.learn(lane.endpointId, outcome);
      lane.inFlight--;
      lane.unwritten++;
      rotation.join(lane);
      if (rotation.needsSlots()) return 'slot';
      return lane.ready.length === 0 && lane.mayHaveMore ? 'lane' : undefined;
    },

    /** The attempt was not made. The delivery keeps its place in the queue and is read again. */
    putBack(attempt: NextAttempt): void {
      const { lane, delivery } = attempt;
      rotation.notMade(attempt);
      lane.inFlight--;
      inHand.putBack(delivery.id);
      dropReady(lane);
      // Count this even if nothing else was ready, because a look at the queue that is under way has skipped this
      // delivery.
      lane.drops++;
    },

    /**
     * Whether a result may change its endpoint's failure count. A failure is remembered until the count has been read
     * again.
     */
    countsFailures(lane: HeldLane, status: string): boolean {
      if (status === 'failed') lane.isFailing = true;
      const counts = status === 'failed' || (status === 'success' && lane.isFailing);
      if (counts) lane.uncounted++;
      return counts;
    },

    written(lane: HeldLane, deliveryId: string, counted: boolean, now: number): void {
      if (counted) {
        lane.uncounted--;
        lane.countedAt = now;
      }
      lane.unwritten--;
      rotation.stored(lane);
      inHand.stored(deliveryId);
    },
  };
}
