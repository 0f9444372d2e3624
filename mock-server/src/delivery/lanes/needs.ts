import { IDLE_LANE_TURN_MS, LANE_TURN_MS, READY_MAX, READY_PER_LANE_MAX } from '../limits.ts';
import { freshPlaces, type HeldLane, isStale, type LaneToFill, underWay } from './lane.ts';
import { startsSoon } from './start-rate.ts';

/** The current limits for filling lanes. */
export interface FillLimits {
  now: number;
  /** Whether this node claims work and starts attempts. */
  takes: boolean;
  /** How many lanes the node holds. */
  lanes: number;
  /** Whether the node can hold no more lanes. */
  isFull: boolean;
  concurrency: number;
  /** The maximum number of attempts in flight to one endpoint. */
  endpointMax: number;
  /** Whether a workspace may take another slot. */
  mayTake(workspaceId: string): boolean;
}

/** Whether a lane must stop starting attempts, so that it can be released soon. */
function givesWay(lane: HeldLane, { now, takes, isFull, mayTake }: FillLimits): boolean {
  if (!takes || now < lane.leavesUntil) return true;
  if (!isFull) return false;
  const hasSlots = lane.inFlight > 0 || mayTake(lane.workspaceId);
  return now - lane.heldSince > (hasSlots ? LANE_TURN_MS : IDLE_LANE_TURN_MS);
}

/**
 * Whether to discard a lane's deliveries that wait for a slot, because they are stale or the lane is about to be
 * released.
 */
export function discardsReady(lane: HeldLane, limits: FillLimits): boolean {
  return !limits.takes || isStale(lane, limits.now) || (givesWay(lane, limits) && underWay(lane) === 0);
}

/**
 * What a lane needs from the database: more deliveries, or its release. `undefined` if the lane needs neither.
 * Deliveries are read ahead so that slots do not wait for the database. The lane reads ahead only as many deliveries as
 * can probably start before they become stale.
 */
export function needOf(lane: HeldLane, limits: FillLimits): LaneToFill | undefined {
  const { now, lanes, concurrency, endpointMax } = limits;
  const evenly = (total: number) => Math.ceil(total / Math.max(1, lanes));
  const readyMax = Math.min(READY_PER_LANE_MAX, evenly(READY_MAX), startsSoon(lane.startRate, now));
  const inHand = underWay(lane) + lane.ready.length;
  const slotsEach = Math.min(endpointMax, evenly(concurrency), lane.pace.window);
  const runsLow = lane.mayHaveMore && lane.ready.length <= readyMax / 2;
  const isToFill = !givesWay(lane, limits) && (runsLow || inHand === 0);
  const room = isToFill ? Math.max(0, slotsEach + readyMax - inHand) : 0;
  if (room === 0 && inHand > 0) return undefined;
  const { endpointId, session, drops, changes } = lane;
  const cameTo = inHand > 0 ? freshPlaces(lane, now)?.places : undefined;
  return { endpointId, session, room, inHand, cameTo, drops, changes };
}
