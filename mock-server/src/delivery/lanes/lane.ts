import type { ClaimedLane } from '../../storage/delivery/claim-lanes.ts';
import type { DeliveryToSend, QueuePlace } from '../../storage/delivery/queue-places.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import { HEAD_LOOK_MS, IDLE_LANE_HOLD_MS, LANE_HOLD_MS, READY_MAX, READY_MS, READY_PER_LANE_MAX } from '../tuning.ts';
import type { Pace } from './endpoint-window.ts';
import { noStarts, type RecentStarts, startsSoon } from './recent-starts.ts';

/** A lane that this node holds. All times are readings of the process's monotonic clock. */
export class HeldLane {
  readonly endpointId: string;
  /** The workspace whose slots the lane's attempts use. An empty string until the first deliveries are read. */
  workspaceId = '';
  /**
   * The session that holds the lane. The results of the lane's attempts change deliveries only while this session
   * exists.
   */
  readonly session: string;
  readonly heldSince: number;
  target: StoredTarget | undefined;
  /** The deliveries that were read and are waiting for a slot, oldest first. */
  ready: { delivery: DeliveryToSend; readAt: number }[] = [];
  /** The number of times that waiting deliveries were discarded. */
  drops = 0;
  /**
   * The number of times that the endpoint changed or the lane was prepared for release. Deliveries that were read
   * before the latest change are not used.
   */
  changes = 0;
  /**
   * The places at which the latest look at this lane stopped. `since` is the time of the last look that started at the
   * head of the lane.
   */
  cameTo: { places: CameTo; since: number } | undefined;
  /** The number of attempts that are running. */
  sending = 0;
  pace: Pace;
  readonly recentStarts: RecentStarts;
  /** The number of attempts that have ended, but are not stored yet. */
  unstored = 0;
  /** Whether the failure count of the lane's endpoint may be above 0. If so, a success must reset the count. */
  isFailing = false;
  /**
   * The number of attempts that may change the failure count and are not stored yet. `countedAt` is the time when such
   * an attempt was last stored.
   */
  uncounted = 0;
  countedAt = Number.NEGATIVE_INFINITY;
  /** Whether the queue may contain more due deliveries of this lane. */
  mayHaveMore = true;
  /**
   * Until this time, no attempt starts in the lane, and the lane is released as soon as it has no deliveries in hand.
   */
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
export type LookStart = Pick<HeldLane, 'drops' | 'changes'>;

/**
 * Two places in a lane: one among its first attempts, and one among its retries. `undefined` means the head of the
 * first attempts, or of the retries.
 */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

/** A lane for which more deliveries can be read. */
export interface LaneWithRoom {
  endpointId: string;
  /** The maximum number of deliveries to read. */
  room: number;
  /** The number of the lane's deliveries that this node already has in hand. */
  inHand: number;
  /**
   * The places in the queue where the previous read of the lane stopped. The next read continues at these places.
   * Deliveries in hand come before these places.
   */
  cameTo?: CameTo | undefined;
}

/** A lane that needs deliveries. If the lane has no deliveries in hand, the lane may have to be released. */
export type LaneToFill = ClaimedLane & LaneWithRoom & LookStart;

/**
 * Whether the lane's next delivery was read so long ago that it must be read again before its attempt. Each read of
 * deliveries also reads the data about the endpoint, so this data is as fresh as the delivery.
 */
export const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

/** The number of attempts that use a slot: attempts that are running, and attempts whose results are not stored yet. */
const inFlight = ({ sending, unstored }: HeldLane) => sending + unstored;

/**
 * Returns the places where the next look continues. A look that continues at these places can miss a delivery: of two
 * deliveries that are stored at the same time, the delivery with the later place may be committed first. So the next
 * look starts at the head if the latest look found nothing, and at least once a second.
 */
export function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

/**
 * Returns two places: the place of the last first attempt in `deliveries`, and the place of the last retry. If
 * `deliveries` contains no first attempt or no retry, returns the place from `places` instead.
 */
export function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}

/** The current limits for filling lanes. */
export interface FillLimits {
  now: number;
  /** Whether this node claims work and starts attempts. */
  isOpen: boolean;
  /** How many lanes the node holds. */
  lanes: number;
  /** Whether the node can hold no more lanes. */
  isFull: boolean;
  concurrency: number;
  /** How many of the node's slots are free. */
  free: number;
  /** The maximum number of attempts to one endpoint that run at once. */
  endpointMax: number;
  /** Whether a workspace may take another slot. */
  mayTake(workspaceId: string): boolean;
}

/** Whether a lane must stop starting attempts, so that it can be released soon. */
function givesWay(lane: HeldLane, { now, isOpen, isFull, mayTake }: FillLimits): boolean {
  if (!isOpen || now < lane.leavesUntil) return true;
  if (!isFull) return false;
  const hasSlots = lane.sending > 0 || mayTake(lane.workspaceId);
  return now - lane.heldSince > (hasSlots ? LANE_HOLD_MS : IDLE_LANE_HOLD_MS);
}

/**
 * Whether to discard the deliveries that are waiting for a slot, because they are stale or the lane will soon be
 * released.
 */
export function discardsReady(lane: HeldLane, limits: FillLimits): boolean {
  return !limits.isOpen || isStale(lane, limits.now) || (givesWay(lane, limits) && inFlight(lane) === 0);
}

/**
 * Returns what a lane needs from the database: more deliveries, or its release. `undefined` if the lane needs nothing.
 * Deliveries are read ahead so that slots do not wait for the database. The lane reads ahead only as many deliveries as
 * can probably start before they become stale. All lanes have equal parts of the node's slots. A lane of a hanging
 * endpoint may use less than its part for a long time, so a lane without ready deliveries may also read deliveries for
 * an equal part of the free slots.
 */
export function needOf(lane: HeldLane, limits: FillLimits): LaneToFill | undefined {
  const { now, lanes, concurrency, free, endpointMax, mayTake } = limits;
  const evenly = (total: number) => Math.ceil(total / Math.max(1, lanes));
  const readyMax = Math.min(READY_PER_LANE_MAX, evenly(READY_MAX), startsSoon(lane.recentStarts, now));
  const inHand = inFlight(lane) + lane.ready.length;
  const further = lane.ready.length === 0 && mayTake(lane.workspaceId) ? evenly(free) : 0;
  const slotsEach = Math.min(endpointMax, lane.pace.window, Math.max(evenly(concurrency), inFlight(lane) + further));
  const runsLow = lane.mayHaveMore && lane.ready.length <= readyMax / 2;
  const isToFill = !givesWay(lane, limits) && (runsLow || inHand === 0);
  const room = isToFill ? Math.max(0, slotsEach + readyMax - inHand) : 0;
  if (room === 0 && inHand > 0) return undefined;
  const { endpointId, session, drops, changes } = lane;
  const cameTo = inHand > 0 ? freshPlaces(lane, now)?.places : undefined;
  return { endpointId, session, room, inHand, cameTo, drops, changes };
}
