import type { DeliveryOnNode } from '../../domain/explain-delivery.ts';
import type { ClaimedLane } from '../../storage/delivery/claim-lanes.ts';
import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import type { TakenDeliveries } from '../queue/take-due.ts';
import { LANES_PER_SLOT, SHARING_MS } from '../tuning.ts';
import { createPaces, type Paces } from './endpoint-window.ts';
import {
  discardsReady,
  freshPlaces,
  furthest,
  HeldLane,
  inFlight,
  isStale,
  type LaneToFill,
  type LookStart,
  needOf,
} from './lane.ts';
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
  /** Whether the attempt uses one of the slots for slow endpoints. */
  slow: boolean;
}

/**
 * Keeps the lanes that this node holds and their ready deliveries, and assigns the node's slots.
 * `delivery/dispatcher.ts` defines the terms, such as look, ready and in hand.
 */
export class HeldLanes {
  readonly #lanes = new Map<string, HeldLane>();
  /** The dropped lanes that still have attempts in flight, by endpoint. */
  readonly #dropped = new Map<string, HeldLane>();
  /**
   * The ids of the deliveries that this node has read. An id is removed when the result of the delivery is stored, or
   * when the delivery is discarded to be read again.
   */
  readonly #inHand = new Set<string>();
  /**
   * Deliveries whose results were stored after the latest look began. The look may have read these deliveries before
   * their results were stored.
   */
  readonly #storedMeanwhile = new Set<string>();
  readonly #concurrency: number;
  readonly #paces: Paces;
  readonly #rotation: Rotation;

  constructor({ concurrency, endpointConcurrency }: { concurrency: number; endpointConcurrency: number }) {
    this.#concurrency = concurrency;
    // A single busy workspace can use two thirds of the slots. One endpoint gets at most half of these. So if the
    // endpoint starts to hang, the workspace still has slots for its other endpoints.
    this.#paces = createPaces(Math.min(endpointConcurrency, Math.ceil(concurrency / 3)));
    this.#rotation = createRotation(concurrency);
  }

  get lanes(): ReadonlyMap<string, HeldLane> {
    return this.#lanes;
  }

  readonly isSkipped = (deliveryId: string): boolean =>
    this.#inHand.has(deliveryId) || this.#storedMeanwhile.has(deliveryId);

  laneRoom(): number {
    return Math.max(0, LANES_PER_SLOT * this.#concurrency - this.#lanes.size);
  }

  /** Counts the attempts that have a slot: running attempts, and attempts whose results are not stored yet. */
  inFlight(): number {
    return this.#rotation.slots.used();
  }

  /** Returns what this node knows about a delivery, for messages that explain the delivery. */
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

  /**
   * Adds a lane. This session may have held the lane before. If attempts are still in flight since then, these attempts
   * count for the lane's window and failure count.
   */
  hold(endpointId: string, session: string, now: number): void {
    const known = this.#lanes.get(endpointId) ?? this.#dropped.get(endpointId);
    this.#dropped.delete(endpointId);
    const lane =
      known?.session === session ? known : new HeldLane({ endpointId, session }, this.#paces.of(endpointId), now);
    lane.heldSince = now;
    lane.leavesUntil = now;
    lane.isFailing = true;
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
    lane.isFailing = true;
    if (inFlight(lane) > 0) this.#dropped.set(endpointId, lane);
  }

  markAll(): void {
    for (const lane of this.#lanes.values()) {
      lane.mayHaveMore = true;
      lane.marks++;
    }
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
   * Call this when a standby without the latest commits may have taken over. The standby may lack the reset of a
   * failure count, so every lane counts as failing until its endpoint is read again.
   */
  databaseLost(): void {
    this.anyEndpointChanged();
    for (const lane of this.#lanes.values()) lane.isFailing = true;
  }

  /**
   * Prepares to release every second lane that has deliveries waiting: for 500 ms, no attempt starts in these lanes.
   * Skips lanes of slow endpoints, because their running attempts probably take longer than 500 ms.
   *
   * @returns how many lanes were prepared.
   */
  shareOut(now: number): number {
    const crowded = [...this.#lanes.values()].filter(
      ({ ready, mayHaveMore, pace }) => (ready.length > 0 || mayHaveMore) && !pace.slow,
    );
    const leaving = crowded.filter((_, index) => index % 2 === 1);
    for (const lane of leaving) {
      lane.leavesUntil = now + SHARING_MS;
      this.#change(lane);
    }
    return leaving.length;
  }

  /** Call this before each look. */
  lookBegins(): void {
    this.#storedMeanwhile.clear();
  }

  /**
   * Returns the lanes that need deliveries, and the lanes without deliveries in hand. The latter may have to be
   * released.
   */
  toFill(now: number, isOpen: boolean): LaneToFill[] {
    const { slots } = this.#rotation;
    const limits = {
      now,
      isOpen,
      lanes: this.#lanes.size,
      isFull: this.laneRoom() === 0,
      concurrency: this.#concurrency,
      free: slots.total - slots.used(),
      mayTake: slots.mayTake,
    };
    for (const lane of this.#lanes.values()) if (discardsReady(lane, limits)) this.#dropReady(lane);
    return [...this.#lanes.values()].flatMap((lane) => needOf(lane, limits) ?? []);
  }

  fill(
    endpointId: string,
    { target, deliveries }: TakenDeliveries,
    look: LookStart & { mayHaveMore: boolean; startedAt: number },
  ): void {
    const { startedAt: now } = look;
    const lane = this.#lanes.get(endpointId);
    if (!lane || lane.changes !== look.changes) return;
    for (const delivery of deliveries) {
      this.#inHand.add(delivery.id);
      lane.workspaceId = delivery.workspaceId;
      lane.ready.push({ delivery, readAt: now });
    }
    lane.chosen += deliveries.length;
    lane.target = target;
    // If the look began before a failure count was stored, the look has not read that count. In that case, treat the
    // endpoint as failing.
    lane.isFailing = target.isFailing || lane.uncounted > 0 || now <= lane.countedAt;
    const { places = [undefined, undefined], since = now } = freshPlaces(lane, now) ?? {};
    // Start the next look at the head of the lane if this look found nothing, or if deliveries were discarded after
    // this look began. This look may have skipped the discarded deliveries, because they were in hand when it began.
    const goesOn = deliveries.length > 0 && look.drops === lane.drops;
    lane.cameTo = goesOn ? { places: furthest(places, deliveries), since } : undefined;
    // This look may have missed the deliveries that were discarded (`drops`) or became due (`marks`) after it began.
    lane.mayHaveMore = look.mayHaveMore || look.drops !== lane.drops || look.marks !== lane.marks;
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
   * Call this when an attempt has ended.
   *
   * @returns `store` if the result must be stored immediately, because no other attempt is running. `read` if more
   *   deliveries of the lane must be read now. Otherwise `undefined`.
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
    this.#dropReady(lane);
    // `#dropReady` increases `drops` only if another delivery was ready. Always increase `drops` here, because a
    // running look may have skipped this delivery.
    lane.drops++;
  }

  /**
   * Returns whether a result may change the failure count of the lane's endpoint. Counts such a result until it is
   * stored.
   */
  trackCounted(lane: HeldLane, status: string): boolean {
    if (status === 'failed') lane.isFailing = true;
    const counts = status === 'failed' || (status === 'success' && lane.isFailing);
    if (counts) lane.uncounted++;
    return counts;
  }

  stored(lane: HeldLane, deliveryId: string, counted: boolean, now: number): void {
    if (counted) {
      lane.uncounted--;
      lane.countedAt = now;
    }
    lane.unstored--;
    this.#forgetIfIdle(lane);
    this.#rotation.stored(lane);
    this.#inHand.delete(deliveryId);
    this.#storedMeanwhile.add(deliveryId);
  }

  #forgetIfIdle(lane: HeldLane): void {
    if (inFlight(lane) === 0 && this.#dropped.get(lane.endpointId) === lane) this.#dropped.delete(lane.endpointId);
  }

  /**
   * Discards everything that was read about a lane's endpoint. If a look (see `delivery/dispatcher.ts`) is running,
   * what it finds for the lane will be discarded, too.
   */
  #change(lane: HeldLane): void {
    this.#dropReady(lane);
    lane.changes++;
  }

  /** Discards the deliveries that wait for a slot. These deliveries stay in the queue. */
  #dropReady(lane: HeldLane): void {
    for (const { delivery } of lane.ready) this.#inHand.delete(delivery.id);
    if (lane.ready.length > 0) lane.drops++;
    lane.ready = [];
    lane.cameTo = undefined;
    lane.mayHaveMore = true;
    this.#rotation.leave(lane);
  }
}
