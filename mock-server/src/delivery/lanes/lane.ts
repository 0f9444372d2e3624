import type { ClaimedLane } from '../../storage/delivery/claim-lanes.ts';
import type { DeliveryToSend, QueuePlace } from '../../storage/delivery/queue-places.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import { HEAD_LOOK_MS, IDLE_LANE_HOLD_MS, LANE_HOLD_MS, READY_MAX, READY_MS, READY_PER_LANE_MAX } from '../tuning.ts';
import type { Pace } from './endpoint-window.ts';
import { noStarts, type RecentStarts, startsSoon } from './recent-starts.ts';
import type { Slots } from './slots.ts';

/**
 * A lane that this node holds. `delivery/dispatcher.ts` defines the terms. All times are from `Timers.now()`, except
 * `QueuePlace.dueAt`, which is on the virtual clock.
 */
export class HeldLane {
  readonly endpointId: string;
  /** Empty until the first deliveries are read. */
  workspaceId = '';
  readonly session: string;
  heldSince: number;
  /** Until this time, the lane is paused: it starts no attempts, and is released when it has no deliveries in hand. */
  leavesUntil: number;
  target: StoredTarget | undefined;
  /** The ready deliveries, oldest first. */
  ready: { delivery: DeliveryToSend; readAt: number }[] = [];
  /** Where the latest look stopped. `since` is the time of the last look that started at the head of the lane. */
  cameTo: { places: CameTo; since: number } | undefined;
  /** The number of running attempts. */
  sending = 0;
  /** The number of attempts that have ended, but are not stored yet. */
  unstored = 0;
  pace: Pace;
  readonly recentStarts: RecentStarts;
  /** Whether the lane may have due deliveries that are not in hand. */
  mayHaveMore = true;
  /** How many of the lane's deliveries have been read so far. `chooseDue` continues to count from this number. */
  chosen = 0;

  constructor({ endpointId, session }: ClaimedLane, pace: Pace, now: number) {
    this.endpointId = endpointId;
    this.session = session;
    this.pace = pace;
    this.heldSince = now;
    this.leavesUntil = now;
    this.recentStarts = noStarts(now);
  }
}

/** Where a look stopped in each of the lane's two parts. `undefined` means the head of the part. */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

/** A lane that needs deliveries, or that may have to be released because it has no deliveries in hand. */
export interface LaneToFill extends ClaimedLane {
  /** How many more deliveries the lane can take. */
  room: number;
  inHand: number;
  /** The places at which the next look continues. All deliveries in hand have earlier places. */
  cameTo?: CameTo | undefined;
  /** How many of the lane's deliveries were chosen by earlier looks. */
  chosen: number;
}

/** Whether the oldest ready delivery and its endpoint's data were read too long ago. */
export const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

export const inFlight = ({ sending, unstored }: HeldLane) => sending + unstored;

/**
 * Returns where the next look continues, or `undefined` if the look must start at the lane's head. A look that
 * continues at `cameTo` misses a delivery that was committed after the previous look, but has a place before `cameTo`.
 * So after `HEAD_LOOK_MS`, a look starts at the head again.
 */
export function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

/** For each part of a lane, returns the place of the last delivery or, without a delivery, the place in `places`. */
export function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}

export interface FillLimits {
  now: number;
  isOpen: boolean;
  /** How many lanes the node holds. */
  lanes: number;
  isFull: boolean;
  slots: Slots;
}

function givesWay(lane: HeldLane, { now, isOpen, isFull, slots }: FillLimits): boolean {
  if (!isOpen || now < lane.leavesUntil) return true;
  if (!isFull) return false;
  const hasSlots = lane.sending > 0 || slots.mayTake(lane.workspaceId);
  return now - lane.heldSince > (hasSlots ? LANE_HOLD_MS : IDLE_LANE_HOLD_MS);
}

/** Whether to discard the lane's ready deliveries. */
export function discardsReady(lane: HeldLane, limits: FillLimits): boolean {
  return !limits.isOpen || isStale(lane, limits.now) || (givesWay(lane, limits) && inFlight(lane) === 0);
}

/**
 * Returns what a lane needs from the database, if anything: more deliveries, or its release. Slots should not wait for
 * the database, so a lane reads ahead as many deliveries as will probably start before they become stale. Each lane
 * gets an equal share of the node's slots. A lane whose endpoint hangs may use little of its share, so a lane without
 * ready deliveries also gets an equal share of the free slots.
 */
export function needOf(lane: HeldLane, limits: FillLimits): LaneToFill | undefined {
  const { now, lanes, slots } = limits;
  const evenly = (total: number) => Math.ceil(total / lanes);
  const readyMax = Math.min(READY_PER_LANE_MAX, evenly(READY_MAX), startsSoon(lane.recentStarts, now));
  const inHand = inFlight(lane) + lane.ready.length;
  const further = lane.ready.length === 0 && slots.mayTake(lane.workspaceId) ? evenly(slots.total - slots.used()) : 0;
  const slotsEach = Math.min(lane.pace.window, Math.max(evenly(slots.total), inFlight(lane) + further));
  const runsLow = lane.mayHaveMore && lane.ready.length <= readyMax / 2;
  const isToFill = !givesWay(lane, limits) && (runsLow || inHand === 0);
  const room = isToFill ? Math.max(0, slotsEach + readyMax - inHand) : 0;
  if (room === 0 && inHand > 0) return undefined;
  const { endpointId, session, chosen } = lane;
  const cameTo = inHand > 0 ? freshPlaces(lane, now)?.places : undefined;
  return { endpointId, session, room, inHand, cameTo, chosen };
}
