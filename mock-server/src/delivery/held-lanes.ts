import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { ClaimedLane } from '../storage/statements/claim-lanes.ts';
import type { DeliveryToSend } from '../storage/statements/load-due-deliveries.ts';
import type { StoredTarget } from '../storage/statements/load-targets.ts';
import {
  HEAD_LOOK_MS,
  IDLE_LANE_TURN_MS,
  LANE_TURN_MS,
  LANES_PER_SLOT,
  LEASE_EXTENDED_BELOW_MS,
  LEASE_MS,
  READY_MAX,
  READY_MS,
  READY_PER_LANE_MAX,
  SHARING_MS,
  SLOW_SHARE,
} from './limits.ts';
import { createPaces, type Pace } from './pace.ts';
import { createSlots } from './slots.ts';
import { countStart, noStarts, type StartRate, startsSoon } from './start-rate.ts';
import type { CameTo, TakenDeliveries } from './take-due.ts';
import { createTurns } from './turns.ts';

/** A lane that this node holds. Times are the process's monotonic clock. */
export interface HeldLane {
  readonly endpointId: string;
  /** Whose slots its attempts take; known from the first deliveries on. */
  workspaceId: string;
  /** The token under which what is in flight may be written back. */
  leaseToken: number;
  readonly heldSince: number;
  leaseEndsAt: number;
  target: StoredTarget | undefined;
  /** Taken, and waiting for a slot; the first was read first. */
  ready: { delivery: DeliveryToSend; readAt: number }[];
  /** How often what was taken was dropped again. */
  drops: number;
  /** Where the looks of this lane came to since one began at its head, and when that was. */
  cameTo: { places: CameTo; since: number } | undefined;
  /** Attempts in flight. */
  inFlight: number;
  pace: Pace;
  startRate: StartRate;
  /** Attempts that ended and are not written back yet. */
  unwritten: number;
  /** Whether the queue may hold more that is due. */
  mayHaveMore: boolean;
  /** Until then it is given away as soon as nothing of it is in hand. */
  leavesUntil: number;
}

/** A lane that wants something of the database, and what. */
export interface LaneToFill extends ClaimedLane {
  /** Free slots to be filled. */
  room: number;
  /** Deliveries in hand: while there are any, the lane is kept. */
  inHand: number;
  /** Where an earlier look came to: the next goes on from there. */
  cameTo: CameTo | undefined;
  /** How often what was taken was dropped again before this look. */
  drops: number;
}

/** A delivery that may be attempted now. */
export interface NextAttempt {
  lane: HeldLane;
  target: StoredTarget;
  delivery: DeliveryToSend;
  /** Whether it takes one of the slots of slow endpoints. */
  slow: boolean;
}

/** Names a delivery, and whose it is. */
export interface DeliveryIds {
  id: string;
  endpointId: string;
  workspaceId: string;
}

/** The lanes that this node holds, and the turns that they take for its slots. */
export function createHeldLanes(limits: { concurrency: number; endpointConcurrency: number }) {
  /** Half of what a workspace that is alone may have: one endpoint that begins to hang leaves room for the others. */
  const endpointMax = Math.min(limits.endpointConcurrency, Math.ceil(limits.concurrency / 3));
  const lanes = new Map<string, HeldLane>();
  /** Deliveries that were taken and are not written back yet. */
  const inHand = new Set<string>();
  /**
   * Deliveries that were written back since the latest look at the queue began: it may have seen them before that, still
   * in their places.
   */
  const leftMeanwhile = new Set<string>();
  const paces = createPaces(endpointMax);
  /**
   * Lanes that have something ready and room in their window for it: those of which a first attempt is next, those of
   * which a retry is, and the slow ones.
   */
  const runnable = { first: createTurns<HeldLane>(), retry: createTurns<HeldLane>(), slow: createTurns<HeldLane>() };
  /** An attempt keeps its slot until it is written back: what a node that dies repeats is never more than its slots. */
  const slots = createSlots(limits.concurrency);
  /** What attempts in flight to slow endpoints take of them. */
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

  /** A lane stands in the line of what is next in it, and keeps its place there when more comes. */
  const enlist = (lane: HeldLane) => {
    if (lane.ready.length > 0 && lane.inFlight < lane.pace.window) lineOf(lane).join(lane);
  };

  // Workspaces that are passed over have slots already, so there are never more of them than slots.
  const nextFirst = () => runnable.first.first(slots.mayTake);
  const nextRetry = () => runnable.retry.first(slots.mayTake);
  const isAnybodyQuick = () => runnable.first.isAnybody() || runnable.retry.isAnybody();
  const nextSlow = () => runnable.slow.first((id) => slots.mayTake(id) && slowSlots.mayTake(id));

  /**
   * Whose turn it is: first attempts before retries, which have every fourth turn. Slow lanes have a share of the slots
   * among them, and every fourth turn while it is not used up.
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

  /** Whether what is next was read so long ago that it is read again. The endpoint was read with the latest. */
  const isStale = ({ ready }: HeldLane, now: number) => ready[0] !== undefined && now - ready[0].readAt > READY_MS;

  const laneRoom = () => Math.max(0, LANES_PER_SLOT * limits.concurrency - lanes.size);
  const share = (total: number) => Math.ceil(total / Math.max(1, lanes.size));

  return {
    lanes: lanes as ReadonlyMap<string, HeldLane>,
    isInHand: (deliveryId: string) => inHand.has(deliveryId) || leftMeanwhile.has(deliveryId),
    /** Further lanes that may be held. */
    laneRoom,
    /** A look at the queue begins. */
    looks: () => leftMeanwhile.clear(),
    /** Attempts that are made or wait to be written back. */
    open: slots.used,

    /** Where a delivery stands, for people who ask. */
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

    hold(endpointId: string, leaseToken: number, now: number): void {
      lanes.set(endpointId, {
        endpointId,
        workspaceId: '',
        leaseToken,
        heldSince: now,
        leaseEndsAt: now + LEASE_MS,
        target: undefined,
        ready: [],
        drops: 0,
        cameTo: undefined,
        inFlight: 0,
        pace: paces.of(endpointId),
        startRate: noStarts(now),
        unwritten: 0,
        mayHaveMore: true,
        leavesUntil: now,
      });
    },

    /**
     * Begins nothing more for a while in every other lane of those in which deliveries wait, so that it can be given
     * away. Not in slow ones: what they have in flight would be in hand for longer than that.
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
     * Lets a lane go: given back, or lost. What is in flight goes on; what was only ready does not.
     *
     * @returns whether it was held under this token.
     */
    drop({ endpointId, leaseToken }: ClaimedLane): boolean {
      const lane = lanes.get(endpointId);
      if (lane?.leaseToken !== leaseToken) return false;
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
      const { places = [undefined, undefined], since = now } = freshPlaces(lane, now) ?? {};
      // Where nothing came, the next look begins at the head. So it does where something was dropped since this one
      // began, which passed over it.
      const goesOn = deliveries.length > 0 && look.drops === lane.drops;
      lane.cameTo = goesOn ? { places: furthest(places, deliveries), since } : undefined;
      lane.mayHaveMore = look.mayHaveMore || look.drops !== lane.drops;
      enlist(lane);
    },

    /** Something may have fallen due anywhere. */
    markAll(): void {
      for (const lane of lanes.values()) lane.mayHaveMore = true;
    },

    dropAllReady(): void {
      for (const lane of lanes.values()) dropReady(lane);
    },

    /** What was read of this endpoint holds no more. */
    dropReadyOf(endpointId: string): void {
      const lane = lanes.get(endpointId);
      if (lane) dropReady(lane);
    },

    /** Takes the next delivery to attempt, where a slot is free: each workspace one, in turns, and of each in turns its lanes. */
    start(now: number): NextAttempt | undefined {
      for (let lane = nextRunnable(); lane; lane = nextRunnable()) {
        lineOf(lane).leaveInTurn(lane);
        if (isStale(lane, now) || lane.leaseEndsAt - now < LEASE_EXTENDED_BELOW_MS / 2) {
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

    /** @returns what now waits for the database: a slot for a write-back, the lane for more. */
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

    /** The attempt was not made: the delivery stands where it stood, to be taken again. */
    putBack({ lane, slow, delivery }: NextAttempt): void {
      inFlight--;
      if (slow) slowSlots.giveBack(lane.workspaceId);
      slots.giveBack(lane.workspaceId);
      lane.inFlight--;
      inHand.delete(delivery.id);
      dropReady(lane);
      // Also where nothing else was ready: a look that is under way passed over this one.
      lane.drops++;
    },

    written(lane: HeldLane, deliveryId: string): void {
      lane.unwritten--;
      slots.giveBack(lane.workspaceId);
      inHand.delete(deliveryId);
      leftMeanwhile.add(deliveryId);
    },

    /** Lanes whose lease runs short. */
    runningShort: (now: number): ClaimedLane[] =>
      [...lanes.values()].filter((lane) => lane.leaseEndsAt - now < LEASE_EXTENDED_BELOW_MS).map(tokenOf),

    /** Lanes that want to be filled, or have nothing in hand. */
    toFill(now: number, takes: boolean): LaneToFill[] {
      // Deliveries are read ahead, so that slots do not wait for the database, but no more than start while they are fresh.
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
          found.push({ ...tokenOf(lane), room: wants, inHand: held, cameTo, drops: lane.drops });
      }
      return found;
    },

    /** Whether a lane is held of which nothing is made, waits for a slot or waits to be written back. */
    isEmpty(endpointId: string): boolean {
      const lane = lanes.get(endpointId);
      return lane !== undefined && lane.inFlight + lane.ready.length + lane.unwritten === 0;
    },

    extended(endpointId: string, now: number): void {
      const lane = lanes.get(endpointId);
      if (lane) lane.leaseEndsAt = now + LEASE_MS;
    },
  };
}

/**
 * Where the next look goes on. What is put into a lane may stand before that, as of two that are stored at once the later
 * may be committed first: so every look begins at the head behind one that came to an end, and one a second does in between.
 */
function freshPlaces({ cameTo }: HeldLane, now: number): HeldLane['cameTo'] {
  return cameTo && now - cameTo.since <= HEAD_LOOK_MS ? cameTo : undefined;
}

function furthest(places: CameTo, deliveries: readonly DeliveryToSend[]): CameTo {
  const last = (retry: number) => deliveries.findLast(({ place }) => place.retry === retry)?.place ?? places[retry];
  return [last(0), last(1)];
}

const tokenOf = ({ endpointId, leaseToken }: HeldLane): ClaimedLane => ({ endpointId, leaseToken });
