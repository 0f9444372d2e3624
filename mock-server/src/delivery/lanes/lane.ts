import type { ClaimedLane } from '../../storage/delivery/claim-lanes.ts';
import type { DeliveryToSend, QueuePlace } from '../../storage/delivery/queue-places.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import { HEAD_LOOK_MS, IDLE_LANE_HOLD_MS, LANE_HOLD_MS, READY_MAX, READY_MS, READY_PER_LANE_MAX } from '../tuning.ts';
import type { Pace } from './endpoint-window.ts';
import { noStarts, type RecentStarts, startsSoon } from './recent-starts.ts';

/**
 * A lane that this node holds. `delivery/dispatcher.ts` defines the terms, such as *look* and *in hand*. All times are
 * from `Timers.now()`, except `QueuePlace.dueAt`, which is on the virtual clock.
 */
export class HeldLane {
  readonly endpointId: string;
  /** The workspace whose slots the lane's attempts use. An empty string until the first deliveries are read. */
  workspaceId = '';
  /** The session that holds the lane. Results of the lane's attempts count only while this session exists. */
  readonly session: string;
  heldSince: number;
  target: StoredTarget | undefined;
  /** The deliveries that wait for a slot, oldest first. */
  ready: { delivery: DeliveryToSend; readAt: number }[] = [];
  /** How many times waiting deliveries were discarded. */
  drops = 0;
  /**
   * How many times the endpoint changed or the lane was prepared for release. If this number changes during a look, the
   * result of the look is discarded.
   */
  changes = 0;
  /** Where the latest look stopped. `since` is the time of the last look that started at the head of the lane. */
  cameTo: { places: CameTo; since: number } | undefined;
  /** The number of running attempts. */
  sending = 0;
  pace: Pace;
  readonly recentStarts: RecentStarts;
  /** The number of attempts that have ended, but are not stored yet. */
  unstored = 0;
  /**
   * Whether the endpoint's failure count may be above 0. If so, the next success resets the count. True until this node
   * has read the endpoint: other nodes may have counted failures while they held the lane.
   */
  isFailing = true;
  /**
   * The number of unstored attempts that could change the failure count. `countedAt` is the time when such an attempt
   * was last stored.
   */
  uncounted = 0;
  countedAt = Number.NEGATIVE_INFINITY;
  /** Whether the lane may have due deliveries that are not in hand. */
  mayHaveMore = true;
  /**
   * How many times {@link mayHaveMore} was set in all lanes. If this number changes during a look, the look may have
   * missed due deliveries.
   */
  marks = 0;
  /** How many of the lane's deliveries were chosen for slots so far. */
  chosen = 0;
  /** Before this time, no attempt starts in the lane, and the lane is released when it has no deliveries in hand. */
  leavesUntil: number;

  constructor({ endpointId, session }: ClaimedLane, pace: Pace, now: number) {
    this.endpointId = endpointId;
    this.session = session;
    this.pace = pace;
    this.heldSince = now;
    this.leavesUntil = now;
    this.recentStarts = noStarts(now);
  }
}

/** A lane's counters at the time when the node began to read the queue. */
export type LookStart = Pick<HeldLane, 'drops' | 'changes' | 'marks'>;

/**
 * Two places where a look stopped: one among the lane's first attempts, and one among the lane's retries. An
 * `undefined` place means the head of the lane.
 */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

export interface LaneWithRoom {
  endpointId: string;
  /** The maximum number of deliveries to read. */
  room: number;
  /** The number of the lane's deliveries that this node already has in hand. */
  inHand: number;
  /**
   * The places where the previous look at the lane stopped, and where the next look continues. All deliveries in hand
   * are before these places.
   */
  cameTo?: CameTo | undefined;
  /** How many of the lane's deliveries were chosen by earlier looks. */
  chosen: number;
}

/** A lane that needs deliveries, or that may have to be released because it has no deliveries in hand. */
export type LaneToFill = ClaimedLane & LaneWithRoom & LookStart;

/**
 * Whether the lane's next delivery must be read again before its attempt. Each read of deliveries also reads the
 * endpoint, so the data about the endpoint is as fresh as the delivery.
 */
export const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

export const inFlight = ({ sending, unstored }: HeldLane) => sending + unstored;

/**
 * Returns the places where the next look continues, or `undefined` if the look must start at the lane's head. A look
 * that continues at these places can miss a delivery: if two deliveries are written to the queue at the same time, the
 * delivery with the later place may be committed first. So a look starts at the head at least once a second, and also
 * if the previous look found nothing.
 */
export function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

/**
 * Returns two places: the place of the last first attempt in `deliveries`, and the place of the last retry. If
 * `deliveries` contains no delivery of a kind, the place for this kind comes from `places`.
 */
export function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}

export interface FillLimits {
  now: number;
  isOpen: boolean;
  lanes: number;
  isFull: boolean;
  concurrency: number;
  free: number;
  mayTake(workspaceId: string): boolean;
}

function givesWay(lane: HeldLane, { now, isOpen, isFull, mayTake }: FillLimits): boolean {
  if (!isOpen || now < lane.leavesUntil) return true;
  if (!isFull) return false;
  const hasSlots = lane.sending > 0 || mayTake(lane.workspaceId);
  return now - lane.heldSince > (hasSlots ? LANE_HOLD_MS : IDLE_LANE_HOLD_MS);
}

/**
 * Whether to discard the lane's waiting deliveries. They are discarded if this node makes no attempts now, if they are
 * stale, or if the lane is about to be released.
 */
export function discardsReady(lane: HeldLane, limits: FillLimits): boolean {
  return !limits.isOpen || isStale(lane, limits.now) || (givesWay(lane, limits) && inFlight(lane) === 0);
}

/**
 * Returns what a lane needs from the database: more deliveries, or its release. `undefined` if the lane needs nothing.
 * The node reads deliveries ahead, so that slots do not wait for the database. It reads only as many deliveries as can
 * probably start before they become stale. Each lane gets an equal part of the node's slots. A lane whose endpoint
 * hangs may leave most of its part free. So all free slots are divided equally, too: a lane without ready deliveries
 * may also read deliveries for its part of them.
 */
export function needOf(lane: HeldLane, limits: FillLimits): LaneToFill | undefined {
  const { now, lanes, concurrency, free, mayTake } = limits;
  const evenly = (total: number) => Math.ceil(total / Math.max(1, lanes));
  const readyMax = Math.min(READY_PER_LANE_MAX, evenly(READY_MAX), startsSoon(lane.recentStarts, now));
  const inHand = inFlight(lane) + lane.ready.length;
  const further = lane.ready.length === 0 && mayTake(lane.workspaceId) ? evenly(free) : 0;
  const slotsEach = Math.min(lane.pace.window, Math.max(evenly(concurrency), inFlight(lane) + further));
  const runsLow = lane.mayHaveMore && lane.ready.length <= readyMax / 2;
  const isToFill = !givesWay(lane, limits) && (runsLow || inHand === 0);
  const room = isToFill ? Math.max(0, slotsEach + readyMax - inHand) : 0;
  if (room === 0 && inHand > 0) return undefined;
  const { endpointId, session, drops, changes, marks, chosen } = lane;
  const cameTo = inHand > 0 ? freshPlaces(lane, now)?.places : undefined;
  return { endpointId, session, room, inHand, cameTo, chosen, drops, changes, marks };
}
