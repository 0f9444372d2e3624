import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import type { ClaimedLane } from '../../storage/statements/lanes/claim.ts';
import type { DeliveryToSend, QueuePlace } from '../../storage/statements/queue/take.ts';
import { HEAD_LOOK_MS, READY_MS } from '../limits.ts';
import type { Pace } from './pace.ts';
import { noStarts, type StartRate } from './start-rate.ts';

/** A lane that this node holds. Times come from the process's monotonic clock. */
export interface HeldLane {
  readonly endpointId: string;
  /** The workspace whose slots its attempts use. Known once the first deliveries are read. */
  workspaceId: string;
  /** The session that holds the lane. The lane's results count only under this session. */
  readonly session: string;
  readonly heldSince: number;
  target: StoredTarget | undefined;
  /** Deliveries that were read and wait for a slot, oldest first. */
  ready: { delivery: DeliveryToSend; readAt: number }[];
  /** How often deliveries that wait for a slot were discarded. */
  drops: number;
  /** How often the endpoint changed or the lane was prepared for release. What was read before that is not used. */
  changes: number;
  /** How far the looks at this lane have come since the last look that started at the head, and when that look was. */
  cameTo: { places: CameTo; since: number } | undefined;
  /** Attempts in flight. */
  inFlight: number;
  pace: Pace;
  startRate: StartRate;
  /** Attempts that have ended and are not yet stored. */
  unwritten: number;
  /** Whether its endpoint may have a failure count, which a success would reset. */
  isFailing: boolean;
  /** Attempts that may change that count and are not yet stored, and when the latest of them was. */
  uncounted: number;
  countedAt: number;
  /** Whether the queue may contain more due deliveries. */
  mayHaveMore: boolean;
  /** Until this time, the lane is released as soon as none of its deliveries are in hand. */
  leavesUntil: number;
}

/** A lane's counters as they were when a look at the queue began. */
export interface LookStart {
  /** The lane's {@link HeldLane.drops} before the look. */
  drops: number;
  /** The lane's {@link HeldLane.changes} before the look. */
  changes: number;
}

/** A place in each part of a lane. Undefined means the head of the part. */
export type CameTo = readonly [firsts: QueuePlace | undefined, retries: QueuePlace | undefined];

/** A lane with free slots. */
export interface LaneWithRoom {
  endpointId: string;
  /** Free slots to fill. */
  room: number;
  /** Deliveries of the lane that this node already has. */
  inHand: number;
  /** Where an earlier look stopped, and the next one continues. Deliveries in hand come before that place. */
  cameTo?: CameTo | undefined;
}

/** A lane that needs deliveries, or that has none in hand and may have to be released. */
export type LaneToFill = ClaimedLane & LaneWithRoom & LookStart;

/** A lane that was just claimed. */
export function newLane({ endpointId, session }: ClaimedLane, pace: Pace, now: number): HeldLane {
  return {
    endpointId,
    workspaceId: '',
    session,
    heldSince: now,
    target: undefined,
    ready: [],
    drops: 0,
    changes: 0,
    cameTo: undefined,
    inFlight: 0,
    pace,
    startRate: noStarts(now),
    unwritten: 0,
    isFailing: false,
    uncounted: 0,
    countedAt: Number.NEGATIVE_INFINITY,
    mayHaveMore: true,
    leavesUntil: now,
  };
}

/**
 * Whether the next delivery was read too long ago to be sent without reading it again. The lane's endpoint was read
 * with its latest deliveries.
 */
export const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

/** Attempts that are in flight or not yet stored. */
export const underWay = ({ inFlight, unwritten }: HeldLane) => inFlight + unwritten;

/**
 * Where the next look continues. A new delivery may be stored before that place: if two are stored at the same time,
 * the later one may be committed first. So a look starts at the head after each look that found nothing, and at least
 * once a second.
 */
export function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

/** The places of the last of these deliveries. */
export function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}
