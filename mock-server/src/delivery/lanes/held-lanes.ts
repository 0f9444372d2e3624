import type { DeliveryOnNode } from '../../domain/explain-delivery.ts';
import type { ClaimedLane } from '../../storage/statements/claim-lanes.ts';
import type { DeliveryToSend } from '../../storage/statements/load-due-deliveries.ts';
import type { StoredTarget } from '../../storage/statements/load-targets.ts';
import {
  HEAD_LOOK_MS,
  IDLE_LANE_TURN_MS,
  LANE_TURN_MS,
  LANES_PER_SLOT,
  READY_MAX,
  READY_MS,
  READY_PER_LANE_MAX,
  SHARING_MS,
  SLOW_SHARE,
} from '../limits.ts';
import type { CameTo, TakenDeliveries } from '../queue/take-due.ts';
import { createPaces, type Pace } from './pace.ts';
import { createSlots } from './slots.ts';
import { countStart, noStarts, type StartRate, startsSoon } from './start-rate.ts';
import { createTurns } from './turns.ts';

/** A lane that this node holds. Times come from the process's monotonic clock. */
export interface HeldLane {
  readonly endpointId: string;
  /** The workspace whose slots its attempts use. Known once the first deliveries are read. */
  workspaceId: string;
  /** The session that holds it. Its results count only under this one. */
  readonly session: string;
  readonly heldSince: number;
  target: StoredTarget | undefined;
  /** Deliveries that were read and wait for a slot, oldest first. */
  ready: { delivery: DeliveryToSend; readAt: number }[];
  /** How often deliveries that wait for a slot were discarded. */
  drops: number;
  /** How far the looks at this lane have come since the last one that started at the head, and when that one was. */
  cameTo: { places: CameTo; since: number } | undefined;
  /** Attempts in flight. */
  inFlight: number;
  pace: Pace;
  startRate: StartRate;
  /** Attempts that have ended and are not yet stored. */
  unwritten: number;
  /** Whether its endpoint may have a count of failures, which a success would reset. */
  isFailing: boolean;
  /** Attempts that may change that count and are not yet stored, and when the latest of them was. */
  uncounted: number;
  countedAt: number;
  /** Whether the queue may contain more due deliveries. */
  mayHaveMore: boolean;
  /** Until this time, the lane is released as soon as nothing of it is in hand. */
  leavesUntil: number;
}

/** A lane that needs the database, and what it needs. */
export interface LaneToFill extends ClaimedLane {
  /** Free slots to fill. */
  room: number;
  /** Deliveries in hand. The lane is kept while there are any. */
  inHand: number;
  /** Where the next look continues. */
  cameTo: CameTo | undefined;
  /** The value of `drops` before this look. */
  drops: number;
}

/** A delivery to attempt now. */
export interface NextAttempt {
  lane: HeldLane;
  target: StoredTarget;
  delivery: DeliveryToSend;
  /** Whether it uses one of the slots for slow endpoints. */
  slow: boolean;
}

/** Identifies a delivery, its endpoint and its workspace. */
export interface DeliveryIds {
  id: string;
  endpointId: string;
  workspaceId: string;
}

/** The lanes that this node holds, and the order in which they get its slots. */
export function createHeldLanes(limits: { concurrency: number; endpointConcurrency: number }) {
  /** Half of what one workspace can get when it is alone. So an endpoint that starts to hang leaves room for others. */
  const endpointMax = Math.min(limits.endpointConcurrency, Math.ceil(limits.concurrency / 3));
  const lanes = new Map<string, HeldLane>();
  /** Deliveries that were read and are not yet written back. */
  const inHand = new Set<string>();
  /**
   * Deliveries that were written back since the latest look at the queue began. That look may have read them before the
   * write-back.
   */
  const leftMeanwhile = new Set<string>();
  const paces = createPaces(endpointMax);
  /**
   * Lanes with a delivery ready and room in their window. A slow lane is in `slow`. Other lanes are listed by what
   * comes next in them: a first attempt or a retry.
   */
  const runnable = { first: createTurns<HeldLane>(), retry: createTurns<HeldLane>(), slow: createTurns<HeldLane>() };
  /** An attempt keeps its slot until it is written back. So a node that dies causes at most one repeat per slot. */
  const slots = createSlots(limits.concurrency);
  /** The slots that attempts in flight to slow endpoints use. */
  const slowSlots = createSlots(Math.max(1, Math.floor(limits.concurrency * SLOW_SHARE)));
  let inFlight = 0;
  let turns = 0;

  const delist = (lane: HeldLane) => {
    for (const lanesInLine of Object.values(runnable)) lanesInLine.leave(lane);
  };

  const lineOf = ({ ready, pace }: HeldLane) => {
    if (pace.slow) return runnable.slow;
    return ready[0]?.delivery.place.retry === 0 ? runnable.first : runnable.retry;
  };

  /** Puts a lane in the line for its next delivery. It keeps its place if more deliveries arrive. */
  const enlist = (lane: HeldLane) => {
    if (lane.ready.length > 0 && lane.inFlight < lane.pace.window) lineOf(lane).join(lane);
  };

  // A workspace that is skipped already has slots, so the number of skipped workspaces never exceeds the number of
  // slots.
  const nextFirst = () => runnable.first.first(slots.mayTake);
  const nextRetry = () => runnable.retry.first(slots.mayTake);
  const isAnybodyQuick = () => runnable.first.isAnybody() || runnable.retry.isAnybody();
  const nextSlow = () => runnable.slow.first((id) => slots.mayTake(id) && slowSlots.mayTake(id));

  /**
   * The lane whose turn it is. First attempts come before retries, but retries come first in every fourth turn. Slow
   * lanes come first in another fourth, while they have not used up their share of the slots.
   */
  function nextRunnable(): HeldLane | undefined {
    turns++;
    if (turns % 4 === 0) return nextSlow() ?? nextFirst() ?? nextRetry();
    if (turns % 4 === 2) return nextRetry() ?? nextFirst() ?? nextSlow();
    return nextFirst() ?? nextRetry() ?? nextSlow();
  }

  function dropReady(lane: HeldLane): void {
    for (const { delivery } of lane.ready) inHand.delete(delivery.id);
    if (lane.ready.length > 0) lane.drops++;
    lane.ready = [];
    lane.cameTo = undefined;
    lane.mayHaveMore = true;
    delist(lane);
  }

  /** Whether the next delivery was read too long ago. The lane's endpoint was read with its latest deliveries. */
  const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

  const laneRoom = () => Math.max(0, LANES_PER_SLOT * limits.concurrency - lanes.size);
  const share = (total: number) => Math.ceil(total / Math.max(1, lanes.size));

  return {
    lanes: lanes as ReadonlyMap<string, HeldLane>,
    isInHand: (deliveryId: string) => inHand.has(deliveryId) || leftMeanwhile.has(deliveryId),
    /** How many more lanes this node may hold. */
    laneRoom,
    /** A look at the queue begins. */
    looks: () => leftMeanwhile.clear(),
    /** Attempts that are in flight or wait to be written back. */
    open: slots.used,

    /** The state of a delivery on this node, for people who ask. */
    find({ id, endpointId, workspaceId }: DeliveryIds): Omit<DeliveryOnNode, 'takes'> {
      const lane = lanes.get(endpointId);
      const isReady = lane?.ready.some(({ delivery }) => delivery.id === id) ?? false;
      return {
        isInFlight: inHand.has(id) && !isReady,
        holdsLane: lane !== undefined,
        endpoint: { inFlight: lane?.inFlight ?? 0, max: (lane?.pace ?? paces.of(endpointId)).window },
        workspace: { inFlight: slots.heldBy(workspaceId), max: slots.shareNow() },
        node: { inFlight: slots.used(), max: slots.total },
      };
    },

    hold(endpointId: string, session: string, now: number): void {
      lanes.set(endpointId, {
        endpointId,
        workspaceId: '',
        session,
        heldSince: now,
        target: undefined,
        ready: [],
        drops: 0,
        cameTo: undefined,
        inFlight: 0,
        pace: paces.of(endpointId),
        startRate: noStarts(now),
        unwritten: 0,
        isFailing: false,
        uncounted: 0,
        countedAt: Number.NEGATIVE_INFINITY,
        mayHaveMore: true,
        leavesUntil: now,
      });
    },

    /**
     * Prepares every other lane that has deliveries waiting for release: for a while, it starts nothing new there. It
     * skips slow lanes, because their attempts in flight would take longer than that.
     *
     * @returns their endpoints.
     */
    shareOut(now: number): string[] {
      const crowded = [...lanes.values()].filter(
        ({ ready, mayHaveMore, pace }) => (ready.length > 0 || mayHaveMore) && !pace.slow,
      );
      const leaving = crowded.filter((_, index) => index % 2 === 1);
      for (const lane of leaving) {
        lane.leavesUntil = now + SHARING_MS;
        dropReady(lane);
      }
      return leaving.map(({ endpointId }) => endpointId);
    },

    /**
     * Lets go of a lane that was released or lost. Attempts in flight continue. Deliveries that wait for a slot are
     * discarded.
     *
     * @returns whether this node held the lane under this session.
     */
    drop({ endpointId, session }: ClaimedLane): boolean {
      const lane = lanes.get(endpointId);
      if (lane?.session !== session) return false;
      dropReady(lane);
      return lanes.delete(endpointId);
    },

    fill(
      endpointId: string,
      { target, deliveries }: TakenDeliveries,
      look: { mayHaveMore: boolean; drops: number; startedAt: number },
    ): void {
      const { startedAt: now } = look;
      const lane = lanes.get(endpointId);
      if (!lane) return;
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
      enlist(lane);
    },

    /** Something may have become due in any lane. */
    markAll(): void {
      for (const lane of lanes.values()) lane.mayHaveMore = true;
    },

    dropAllReady(): void {
      for (const lane of lanes.values()) dropReady(lane);
    },

    /** The endpoint has changed. What was read about it is out of date. */
    dropReadyOf(endpointId: string): void {
      const lane = lanes.get(endpointId);
      if (lane) dropReady(lane);
    },

    /**
     * Takes the next delivery to attempt if a slot is free. Workspaces take turns, and so do the lanes of each
     * workspace.
     */
    start(now: number): NextAttempt | undefined {
      for (let lane = nextRunnable(); lane; lane = nextRunnable()) {
        lineOf(lane).leaveInTurn(lane);
        if (isStale(lane, now)) {
          dropReady(lane);
          continue;
        }
        const next = lane.ready.shift();
        if (!next || !lane.target) continue;
        countStart(lane.startRate, now);
        lane.inFlight++;
        inFlight++;
        slots.take(lane.workspaceId);
        const { slow } = lane.pace;
        if (slow) slowSlots.take(lane.workspaceId);
        enlist(lane);
        return { lane, target: lane.target, delivery: next.delivery, slow };
      }
      return undefined;
    },

    /**
     * @returns what now waits for the database: `slot` if a write-back would free a needed slot, `lane` if the lane
     *   needs more deliveries.
     */
    ended(
      { lane, slow }: NextAttempt,
      outcome: { answered: boolean; durationMs: number },
    ): 'slot' | 'lane' | undefined {
      inFlight--;
      if (slow) slowSlots.giveBack(lane.workspaceId);
      delist(lane);
      lane.pace = paces.learn(lane.endpointId, outcome);
      lane.inFlight--;
      lane.unwritten++;
      enlist(lane);
      if (inFlight === 0) return 'slot';
      const mostlyUnwritten = slots.used() > 2 * inFlight;
      if (mostlyUnwritten && isAnybodyQuick() && !nextFirst() && !nextRetry()) return 'slot';
      return lane.ready.length === 0 && lane.mayHaveMore ? 'lane' : undefined;
    },

    /** The attempt was not made. The delivery keeps its place in the queue and is read again. */
    putBack({ lane, slow, delivery }: NextAttempt): void {
      inFlight--;
      if (slow) slowSlots.giveBack(lane.workspaceId);
      slots.giveBack(lane.workspaceId);
      lane.inFlight--;
      inHand.delete(delivery.id);
      dropReady(lane);
      // Count this even if nothing else was ready: a look that is running has skipped this delivery.
      lane.drops++;
    },

    /** Whether a result may change its endpoint's count of failures. Remembers that until the count was read again. */
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
      slots.giveBack(lane.workspaceId);
      inHand.delete(deliveryId);
      leftMeanwhile.add(deliveryId);
    },

    /** Lanes that need more deliveries, and lanes with nothing in hand. */
    toFill(now: number, takes: boolean): LaneToFill[] {
      // Read deliveries ahead, so that slots do not wait for the database. Do not read more than can start while they
      // are fresh.
      const mostReady = Math.min(READY_PER_LANE_MAX, share(READY_MAX));
      const slotsEach = Math.min(endpointMax, share(limits.concurrency));
      const othersWait = laneRoom() === 0;
      const found: LaneToFill[] = [];
      for (const lane of lanes.values()) {
        const hasSlots = lane.inFlight > 0 || slots.mayTake(lane.workspaceId);
        const turnMs = hasSlots ? LANE_TURN_MS : IDLE_LANE_TURN_MS;
        const givesWay = !takes || now < lane.leavesUntil || (othersWait && now - lane.heldSince > turnMs);
        const underWay = lane.inFlight + lane.unwritten;
        if (!takes || isStale(lane, now) || (givesWay && underWay === 0)) dropReady(lane);
        const held = underWay + lane.ready.length;
        const readyMax = Math.min(mostReady, startsSoon(lane.startRate, now));
        const room = Math.min(slotsEach, lane.pace.window) + readyMax;
        const runsLow = lane.mayHaveMore && lane.ready.length <= readyMax / 2;
        const wants = !givesWay && (runsLow || held === 0) ? Math.max(0, room - held) : 0;
        const cameTo = held > 0 ? freshPlaces(lane, now)?.places : undefined;
        if (wants > 0 || held === 0)
          found.push({
            endpointId: lane.endpointId,
            session: lane.session,
            room: wants,
            inHand: held,
            cameTo,
            drops: lane.drops,
          });
      }
      return found;
    },

    /** Whether this node holds the lane but has nothing in flight, ready or unwritten in it. */
    isEmpty(endpointId: string): boolean {
      const lane = lanes.get(endpointId);
      return lane !== undefined && lane.inFlight + lane.ready.length + lane.unwritten === 0;
    },
  };
}

/**
 * Where the next look continues. A new delivery may be stored before that place: if two are stored at the same time,
 * the later one may be committed first. So a look starts at the head after each look that found nothing, and at least
 * once a second.
 */
function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}
