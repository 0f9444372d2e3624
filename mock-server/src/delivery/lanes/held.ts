import type { DeliveryOnNode } from '../../domain/explain-delivery.ts';
import type { ClaimedLane } from '../../storage/statements/lanes/claim.ts';
import { LANES_PER_SLOT, SHARING_MS } from '../limits.ts';
import { createAttempts } from './attempts.ts';
import { createFilling } from './filling.ts';
import { createInHand } from './in-hand.ts';
import { type HeldLane, type LaneToFill, newLane } from './lane.ts';
import { discardsReady, needOf } from './needs.ts';
import { createPaces } from './pace.ts';
import type { LaneParts } from './parts.ts';
import { createRotation } from './rotation.ts';

/** Identifies a delivery, its endpoint and its workspace. */
export interface DeliveryIds {
  id: string;
  endpointId: string;
  workspaceId: string;
}

/** The lanes that this node holds. */
export type HeldLanes = ReturnType<typeof createHeldLanes>;

/** Keeps the lanes that this node holds, with the deliveries that were read, and hands out the slots of the node. */
export function createHeldLanes(limits: { concurrency: number; endpointConcurrency: number }) {
  const { concurrency } = limits;
  /** Half of what a single busy workspace can get, so that an endpoint that starts to hang leaves room for others. */
  const endpointMax = Math.min(limits.endpointConcurrency, Math.ceil(concurrency / 3));
  const lanes = new Map<string, HeldLane>();
  const inHand = createInHand();
  const paces = createPaces(endpointMax);
  const rotation = createRotation(concurrency);
  const { slots } = rotation;

  function dropReady(lane: HeldLane): void {
    for (const { delivery } of lane.ready) inHand.putBack(delivery.id);
    if (lane.ready.length > 0) lane.drops++;
    lane.ready = [];
    lane.cameTo = undefined;
    lane.mayHaveMore = true;
    rotation.leave(lane);
  }

  const parts: LaneParts = { lanes, inHand, paces, rotation, dropReady };
  const laneRoom = () => Math.max(0, LANES_PER_SLOT * concurrency - lanes.size);

  return {
    lanes: lanes as ReadonlyMap<string, HeldLane>,
    isInHand: inHand.isSkipped,
    /** How many more lanes this node may hold. */
    laneRoom,
    /** A look at the queue begins. */
    looks: inHand.lookBegins,
    /** Attempts that are in flight or not yet stored. */
    open: slots.used,

    /** The state of a delivery on this node, to explain it to people. */
    find({ id, endpointId, workspaceId }: DeliveryIds): Omit<DeliveryOnNode, 'takes'> {
      const lane = lanes.get(endpointId);
      const isReady = lane?.ready.some(({ delivery }) => delivery.id === id) ?? false;
      return {
        isInFlight: inHand.has(id) && !isReady,
        holdsLane: lane !== undefined,
        endpoint: { inFlight: lane?.inFlight ?? 0, max: (lane?.pace ?? paces.of(endpointId)).window },
        workspace: { inFlight: slots.heldBy(workspaceId), max: slots.quotaNow() },
        node: { inFlight: slots.used(), max: slots.total },
      };
    },

    /** Lanes that need more deliveries, and lanes that have none in hand. */
    toFill(now: number, takes: boolean): LaneToFill[] {
      const isFull = laneRoom() === 0;
      const { mayTake } = slots;
      const limitsNow = { now, takes, lanes: lanes.size, isFull, concurrency, endpointMax, mayTake };
      for (const lane of lanes.values()) if (discardsReady(lane, limitsNow)) dropReady(lane);
      return [...lanes.values()].flatMap((lane) => needOf(lane, limitsNow) ?? []);
    },

    ...createHolding(parts),
    ...createFilling(parts),
    ...createAttempts(parts),
  };
}

/** Holding and releasing lanes. */
function createHolding({ lanes, paces, dropReady }: LaneParts) {
  /** The endpoint has changed. What was read about it, or is being read, is out of date. */
  function change(lane: HeldLane): void {
    dropReady(lane);
    lane.changes++;
  }

  return {
    hold(endpointId: string, session: string, now: number): void {
      lanes.set(endpointId, newLane({ endpointId, session }, paces.of(endpointId), now));
    },

    /**
     * Forgets a lane that was released or lost. Attempts in flight continue.
     *
     * @returns whether this node held the lane under this session.
     */
    drop({ endpointId, session }: ClaimedLane): boolean {
      const lane = lanes.get(endpointId);
      if (lane?.session !== session) return false;
      dropReady(lane);
      return lanes.delete(endpointId);
    },

    /** Something may have become due in any lane. */
    markAll(): void {
      for (const lane of lanes.values()) lane.mayHaveMore = true;
    },

    dropAllReady(): void {
      for (const lane of lanes.values()) dropReady(lane);
    },

    endpointChanged(endpointId: string): void {
      const lane = lanes.get(endpointId);
      if (lane) change(lane);
    },

    anyEndpointChanged(): void {
      for (const lane of lanes.values()) change(lane);
    },

    /**
     * Prepares for release every second lane that has deliveries waiting: for 500 ms, nothing new starts there. A lane
     * whose attempts in flight take longer than that is kept, so slow lanes are left out.
     *
     * @returns how many.
     */
    shareOut(now: number): number {
      const crowded = [...lanes.values()].filter(
        ({ ready, mayHaveMore, pace }) => (ready.length > 0 || mayHaveMore) && !pace.slow,
      );
      const leaving = crowded.filter((_, index) => index % 2 === 1);
      for (const lane of leaving) {
        lane.leavesUntil = now + SHARING_MS;
        change(lane);
      }
      return leaving.length;
    },
  };
}
