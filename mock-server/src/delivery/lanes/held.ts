import type { DeliveryOnNode } from '../../domain/explain-delivery.ts';
import type { ClaimedLane } from '../../storage/delivery/claim-lanes.ts';
import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import type { FoundDeliveries } from '../queue/look.ts';
import { HAND_OVER_MS, LANES_PER_SLOT } from '../tuning.ts';
import { createPaces, type Paces } from './endpoint-window.ts';
import { discardsReady, freshPlaces, furthest, HeldLane, inFlight, isStale, type LaneToFill, needOf } from './lane.ts';
import { countStart } from './recent-starts.ts';
import { createRotation, type Rotation } from './rotation.ts';

export interface DeliveryIds {
  id: string;
  endpointId: string;
  workspaceId: string;
}

export interface NextAttempt {
  lane: HeldLane;
  target: StoredTarget;
  delivery: DeliveryToSend;
  /** Whether the attempt has one of the slots for slow endpoints. */
  slow: boolean;
}

/** Changes since the latest look began. The look may have missed these changes. */
const nothingSince = () => ({
  /** The deliveries whose results were stored. */
  stored: new Set<string>(),
  /**
   * The lanes whose endpoint changed, or whose deliveries were discarded. The look's results for these lanes are not
   * used: the look may have read the old endpoint, or skipped the discarded deliveries because they were still in hand.
   */
  changed: new Set<HeldLane>(),
  /** Whether deliveries may have become due in any lane. */
  isMarked: false,
});

/** Keeps the lanes that this node holds and their ready deliveries, and assigns the node's slots. */
export class HeldLanes {
  readonly #lanes = new Map<string, HeldLane>();
  /** The dropped lanes that still have attempts in flight, by endpoint. */
  readonly #dropped = new Map<string, HeldLane>();
  readonly #inHand = new Set<string>();
  #sinceLook = nothingSince();
  readonly #paces: Paces;
  readonly #rotation: Rotation;

  constructor({ concurrency, endpointConcurrency }: { concurrency: number; endpointConcurrency: number }) {
    // A single busy workspace can use two thirds of the slots. One endpoint gets at most half of these slots, so that a
    // hanging endpoint leaves slots for the workspace's other endpoints.
    this.#paces = createPaces(Math.min(endpointConcurrency, Math.ceil(concurrency / 3)));
    this.#rotation = createRotation(concurrency);
  }

  get lanes(): ReadonlyMap<string, HeldLane> {
    return this.#lanes;
  }

  readonly isSkipped = (deliveryId: string): boolean =>
    this.#inHand.has(deliveryId) || this.#sinceLook.stored.has(deliveryId);

  laneRoom(): number {
    return Math.max(0, LANES_PER_SLOT * this.#rotation.slots.total - this.#lanes.size);
  }

  inFlight(): number {
    return this.#rotation.slots.used();
  }

  /** Returns what this node knows about a delivery, for messages that explain the delivery's state. */
  find({ id, endpointId, workspaceId }: DeliveryIds): Omit<DeliveryOnNode, 'takes'> {
    const { slots } = this.#rotation;
    const lane = this.#lanes.get(endpointId);
    const isReady = lane?.ready.some(({ delivery }) => delivery.id === id) ?? false;
    return {
      isInFlight: this.#inHand.has(id) && !isReady,
      holdsLane: lane !== undefined,
      endpoint: { inFlight: lane?.sending ?? 0, max: (lane?.pace ?? this.#paces.of(endpointId)).window },
      workspace: { inFlight: slots.heldBy(workspaceId), max: slots.quotaNow() },
      node: { inFlight: slots.used(), max: slots.total },
    };
  }

  /** Adds a lane. If this session held the lane earlier, keeps track of the attempts that are still in flight. */
  hold(endpointId: string, session: string, now: number): void {
    const known = this.#lanes.get(endpointId) ?? this.#dropped.get(endpointId);
    this.#dropped.delete(endpointId);
    const lane =
      known?.session === session ? known : new HeldLane({ endpointId, session }, this.#paces.of(endpointId), now);
    lane.heldSince = now;
    lane.leavesUntil = now;
    this.#lanes.set(endpointId, lane);
  }

  /**
   * Removes a lane that was released or lost. The lane's attempts in flight continue. Does nothing if this node has
   * claimed the lane again under another session.
   */
  drop({ endpointId, session }: ClaimedLane): void {
    const lane = this.#lanes.get(endpointId);
    if (lane?.session !== session) return;
    this.#dropReady(lane);
    this.#lanes.delete(endpointId);
    if (inFlight(lane) > 0) this.#dropped.set(endpointId, lane);
  }

  markAll(): void {
    for (const lane of this.#lanes.values()) lane.mayHaveMore = true;
    this.#sinceLook.isMarked = true;
  }

  dropAllReady(): void {
    for (const lane of this.#lanes.values()) this.#dropReady(lane);
  }

  endpointChanged(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    if (lane) this.#change(lane);
  }

  anyEndpointChanged(): void {
    for (const lane of this.#lanes.values()) this.#change(lane);
  }

  /**
   * Pauses every second lane that has waiting deliveries, so that these lanes can be released, and returns the number
   * of paused lanes. Skips lanes of slow endpoints: their running attempts probably take longer than `HAND_OVER_MS`.
   */
  pauseForHandOver(now: number): number {
    const crowded = [...this.#lanes.values()].filter(
      ({ ready, mayHaveMore, pace }) => (ready.length > 0 || mayHaveMore) && !pace.slow,
    );
    const leaving = crowded.filter((_, index) => index % 2 === 1);
    for (const lane of leaving) {
      lane.leavesUntil = now + HAND_OVER_MS;
      this.#change(lane);
    }
    return leaving.length;
  }

  /** Returns the lanes for a look that begins now. */
  beginLook(now: number, isOpen: boolean): LaneToFill[] {
    const lanes = this.refresh(now, isOpen);
    this.#sinceLook = nothingSince();
    return lanes;
  }

  /**
   * Discards ready deliveries that are stale or that their lane no longer needs. Returns the lanes that need more
   * deliveries, and the lanes that may have to be released.
   */
  refresh(now: number, isOpen: boolean): LaneToFill[] {
    const { slots } = this.#rotation;
    const limits = { now, isOpen, lanes: this.#lanes.size, isFull: this.laneRoom() === 0, slots };
    for (const lane of this.#lanes.values()) if (discardsReady(lane, limits)) this.#dropReady(lane);
    return [...this.#lanes.values()].flatMap((lane) => needOf(lane, limits) ?? []);
  }

  fill(
    endpointId: string,
    { target, deliveries }: FoundDeliveries,
    { mayHaveMore, startedAt: now }: { mayHaveMore: boolean; startedAt: number },
  ): void {
    const { changed, isMarked } = this.#sinceLook;
    const lane = this.#lanes.get(endpointId);
    if (!lane || changed.has(lane)) return;
    for (const delivery of deliveries) {
      this.#inHand.add(delivery.id);
      lane.workspaceId = delivery.workspaceId;
      lane.ready.push({ delivery, readAt: now });
    }
    lane.chosen += deliveries.length;
    lane.target = target;
    const { places = [undefined, undefined], since = now } = freshPlaces(lane, now) ?? {};
    lane.cameTo = deliveries.length > 0 ? { places: furthest(places, deliveries), since } : undefined;
    lane.mayHaveMore = mayHaveMore || isMarked;
    this.#rotation.join(lane);
  }

  /** Removes and returns the next delivery to attempt, if a slot is free. */
  start(now: number): NextAttempt | undefined {
    for (let lane = this.#rotation.next(); lane; lane = this.#rotation.next()) {
      if (isStale(lane, now)) {
        this.#dropReady(lane);
        continue;
      }
      const next = lane.ready.shift();
      if (!next || !lane.target) continue;
      countStart(lane.recentStarts, now);
      lane.sending++;
      this.#rotation.started(lane);
      this.#rotation.join(lane);
      return { lane, target: lane.target, delivery: next.delivery, slow: lane.pace.slow };
    }
    return undefined;
  }

  /**
   * Returns `store` if the result must be stored immediately, because no other attempt is running. Returns `read` if
   * more deliveries of the lane must be read now.
   */
  ended(attempt: NextAttempt, outcome: { responded: boolean; durationMs: number }): 'store' | 'read' | undefined {
    const { lane } = attempt;
    this.#rotation.ended(attempt);
    this.#rotation.leave(lane);
    lane.pace = this.#paces.learn(lane.endpointId, outcome);
    lane.sending--;
    lane.unstored++;
    this.#rotation.join(lane);
    if (this.#rotation.isAllUnstored()) return 'store';
    return lane.ready.length === 0 && lane.mayHaveMore ? 'read' : undefined;
  }

  /** Call this if the attempt was not made. The delivery keeps its place in the queue, and is read again. */
  putBack(attempt: NextAttempt): void {
    const { lane, delivery } = attempt;
    this.#rotation.notMade(attempt);
    lane.sending--;
    this.#forgetIfIdle(lane);
    this.#inHand.delete(delivery.id);
    this.#change(lane);
  }

  stored(lane: HeldLane, deliveryId: string): void {
    lane.unstored--;
    this.#forgetIfIdle(lane);
    this.#rotation.stored(lane);
    this.#inHand.delete(deliveryId);
    this.#sinceLook.stored.add(deliveryId);
  }

  #forgetIfIdle(lane: HeldLane): void {
    if (inFlight(lane) === 0 && this.#dropped.get(lane.endpointId) === lane) this.#dropped.delete(lane.endpointId);
  }

  /** Discards a lane's ready deliveries, and makes `fill` ignore what a running look finds in the lane. */
  #change(lane: HeldLane): void {
    this.#dropReady(lane);
    this.#sinceLook.changed.add(lane);
  }

  #dropReady(lane: HeldLane): void {
    for (const { delivery } of lane.ready) this.#inHand.delete(delivery.id);
    if (lane.ready.length > 0) this.#sinceLook.changed.add(lane);
    lane.ready = [];
    lane.cameTo = undefined;
    lane.mayHaveMore = true;
    this.#rotation.leave(lane);
  }
}
