import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Timer } from '../runtime/timers.ts';
import { findLanesOf, keepSessions } from '../storage/delivery/sessions.ts';
import type { Queries, Storage } from '../storage/port.ts';
import { claimLanes } from '../storage/statements/claim-lanes.ts';
import { type LaneTurns, laneTurns } from '../storage/statements/lane-turns.ts';
import { together } from '../storage/together.ts';
import { createExchange } from './exchange.ts';
import { createHeldLanes, type DeliveryIds, type LaneToFill } from './lanes/held-lanes.ts';
import {
  CLAIM_LANES_MAX,
  COMPARE_INTERVAL_MS,
  LOCKED_LANE_POLL_MS,
  POLL_INTERVAL_MS,
  SHARE_ASKED_INTERVAL_MS,
  SHARING_MS,
  SHORTAGE_PAUSE_MS,
  SHORTAGE_WARNING_INTERVAL_MS,
  TAKE_DELAY_MS,
  WAITING_POLL_MS,
} from './limits.ts';
import type { AttemptOutcome, DeliveryObserver } from './observer.ts';
import { giveBack } from './queue/give-back.ts';
import { createNodeLease } from './queue/node-lease.ts';
import { createResults, type StoredBatch } from './queue/results.ts';
import { createSweep } from './queue/sweep.ts';
import { takeDue } from './queue/take-due.ts';
import { type AttemptTools, type FinishedAttempt, makeAttempt } from './sending/attempt.ts';
import { createWaiters, type DispatcherState } from './waiters.ts';

/** The parts and settings of the dispatcher. */
export interface DispatcherOptions extends AttemptTools {
  storage: Storage;
  ids: Ids;
  logger: Logger;
  concurrency: number;
  endpointConcurrency: number;
  observer: DeliveryObserver;
  otherNodes?: OtherNodes | undefined;
  /** The longest time of one attempt. */
  timeoutMs: number;
  /** Draws the id of this node's session among those of the other nodes. Default: at random. */
  drawSession?: (() => string) | undefined;
  /** Whether notifications also go out by email. */
  sendsEmails?: boolean | undefined;
}

/** The other nodes on the same database. */
export interface OtherNodes {
  /** Reports that this node is idle and that other nodes hold lanes with due work. They may share those lanes. */
  askForShare(): void;
  /** Reports that lanes are free to claim. */
  tellOfLanes(): void;
}

/**
 * Runs deliveries. It makes attempts while slots are free and talks to the database in two ways at the same time:
 *
 * - Writing: stores finished attempts. The next batch may start before the last one is stored.
 * - Taking: claims lanes and reads the next deliveries while earlier ones are in flight. Only one take runs at a time.
 *
 * Anything that arrives meanwhile goes into the next run, so batches grow with the load.
 */
export function createDispatcher(options: DispatcherOptions) {
  const { storage, clock, timers, logger, observer, otherNodes, sendsEmails = false } = options;
  const held = createHeldLanes(options);
  let takes = false;
  /**
   * Set while this node lacks a resource for attempts. Meanwhile it starts none, and other nodes can take the lanes.
   */
  let shortagePause: Timer | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const takesNow = () => takes && !shortagePause;
  /** Whether lanes may have become due since the latest take. */
  let looksForLanes = false;
  let nextTurnAt: Instant | undefined;
  /** Endpoints that have changed since the latest take began. What that take read about them may be old. */
  const changed = new Set<string>();
  let stopped = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let sharedAt = Number.NEGATIVE_INFINITY;
  const shares = () => timers.now() - sharedAt < SHARING_MS;
  const mayClaim = () => takesNow() && !shares() && held.laneRoom() > 0;
  let nextLook: Timer | undefined;
  let soonTaken: Timer | undefined;
  const waiters = createWaiters();
  const failed = (error: unknown, retryInMs: number) =>
    logger.error({ err: error, retryInMs }, 'cannot reach the database; deliveries will resume when it is back');
  const sweep = createSweep({ storage, clock, timers, logger, onSwept: look });
  const lease = createNodeLease({ ...options, isShared: otherNodes !== undefined, onEnded: dropAll, onFreed: look });
  /** Without other nodes, no standby can take over. Then only a claim or a release without a reply is a reason. */
  const compareIntervalMs = otherNodes ? COMPARE_INTERVAL_MS : Number.POSITIVE_INFINITY;
  /** When to compare the held lanes with the database: at once, if a claim or a release got no reply. */
  let comparesAt = timers.now() + compareIntervalMs;
  const results = createResults({ ...options, sendsEmails, failed, onStored, onEnded: lease.ended });
  const taking = createExchange({ run: take, failed, width: 1, timers });

  function takeSoon(): void {
    if (stopped || soonTaken) return;
    soonTaken = timers.after(TAKE_DELAY_MS, () => {
      soonTaken = undefined;
      taking.request();
    });
  }

  /** Something may have become due in any lane. */
  function lookAround(): void {
    looksForLanes = true;
    held.markAll();
  }

  function onStored({ batch, late, autoDisabled, durationMs }: StoredBatch): void {
    const now = timers.now();
    for (const { attempt, lane, counts } of batch) {
      held.written(lane, attempt.delivery.id, counts, now);
      tell(attempt, late.has(attempt.id) ? 'late' : outcomeOf(attempt));
    }
    for (const { id } of autoDisabled) {
      held.dropReadyOf(id);
      changed.add(id);
      logger.warn({ endpointId: id }, 'endpoint disabled: its deliveries kept failing');
      observer.endpointDisabled(id);
    }
    observer.roundEnded({ durationMs, attempts: batch.length, lanesClaimed: 0 });
    startReady();
    // Disabling an endpoint creates an event, which has deliveries.
    if (autoDisabled.length > 0) lookAround();
    if (autoDisabled.length > 0 || held.toFill(now, takesNow()).length > 0) taking.request();
  }

  async function take(): Promise<void> {
    nextLook?.cancel();
    // Every look runs this line. Under load, the timer for the next look never fires.
    void sweep();
    const startedAt = timers.now();
    await lease.ensure();
    if (startedAt >= comparesAt) await compareLanes(startedAt);
    const claimed = await claimDue(startedAt);
    held.looks();
    changed.clear();
    const now = clock.now();
    const lanes = held.toFill(timers.now(), takesNow());
    const withRoom = lanes.filter(({ room }) => room > 0);
    const [found, turnsBefore] = await storage.read((queries) =>
      together([takeDue(queries, withRoom, now, held.isInHand), laneTurns(queries)]),
    );
    for (const { endpointId, drops } of withRoom) {
      const taken = found.taken.get(endpointId);
      if (!taken || !takesNow() || changed.has(endpointId)) continue;
      held.fill(endpointId, taken, { mayHaveMore: found.withMore.has(endpointId), drops, startedAt });
    }
    startReady();

    const done = lanes
      .filter(({ endpointId, inHand }) => {
        const gives = (found.taken.get(endpointId)?.deliveries.length ?? 0) > 0;
        return inHand === 0 && !(takesNow() && gives) && !found.withInHand.has(endpointId);
      })
      .map((lane) => ({ ...lane, mayStay: takesNow() && lane.room > 0 }));
    const closed = lanes.filter(({ endpointId }) => found.closed.has(endpointId));
    let staying: ReadonlySet<string> = new Set();
    let turns = turnsBefore;
    if (done.length > 0 || closed.length > 0 || found.missing.length > 0) {
      const order = { done, closed, missing: found.missing, now, isInHand: held.isInHand };
      staying = await changeLanes((queries) => giveBack(queries, order));
      if (closed.length > 0) observer.deliveriesDisabled?.();
      for (const lane of done) if (!staying.has(lane.endpointId)) held.drop(lane);
      if (shares() && done.length > staying.size) otherNodes?.tellOfLanes();
      turns = await storage.read(laneTurns);
    }
    nextTurnAt = turns.free;
    observer.roundEnded({
      durationMs: timers.now() - startedAt,
      attempts: 0,
      lanesClaimed: claimed,
    });
    afterTake(turns, claimed > 0, staying);
  }

  /** Another node has ended the session of this one, or the data was replaced. */
  function dropAll(): void {
    const lanes = [...held.lanes.values()];
    for (const lane of lanes) held.drop(lane);
    logger.warn({ lanes: lanes.length }, 'the lease of this server has ended; other servers may hold its lanes');
    observer.leaseEnded(lanes.length);
    if (!stopped) look();
  }

  /**
   * Holds exactly the lanes that the database says this session holds. They differ if a claim or a release got no reply,
   * or if a standby without the latest commits has taken over.
   */
  async function compareLanes(startedAt: number): Promise<void> {
    const session = lease.session();
    const stored = await storage.write((queries) => findLanesOf(queries, session), { waitsForDisk: false });
    if (!lease.holds(session)) return;
    for (const lane of [...held.lanes.values()]) if (!stored.has(lane.endpointId)) held.drop(lane);
    for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);
    comparesAt = startedAt + compareIntervalMs;
  }

  /** Runs a write that claims or releases lanes. */
  async function changeLanes<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    try {
      // What a power failure would undo, the next start does again. An embedded database frees all lanes at its start.
      return await storage.write(work, { waitsForDisk: false });
    } catch (error) {
      comparesAt = timers.now();
      throw error;
    }
  }

  /** Reports the outcome of an attempt once it is stored. */
  function tell({ delivery, number, responseTimeMs, error }: FinishedAttempt, outcome: AttemptOutcome): void {
    const { id, endpointId } = delivery;
    observer.attemptWritten({ outcome, durationMs: responseTimeMs, deliveryId: id, endpointId });
    const line = { deliveryId: id, endpointId, attempt: number, responseTimeMs, outcome, error: error ?? undefined };
    logger.info(line, 'attempt made');
  }

  /** Claims lanes whose turn has come. @returns how many. */
  async function claimDue(startedAt: number): Promise<number> {
    const laneRoom = mayClaim() ? held.laneRoom() : 0;
    if (laneRoom > 0 && looksForLanes) nextTurnAt = (await storage.read(laneTurns)).free;
    looksForLanes = false;
    const now = clock.now();
    const isDue = nextTurnAt !== undefined && nextTurnAt <= now;
    const limit = isDue ? Math.min(CLAIM_LANES_MAX, laneRoom) : 0;
    if (limit === 0) return 0;
    const session = lease.session();
    const [kept, claimed] = await changeLanes((queries) =>
      together([keepSessions(queries, [session]), claimLanes(queries, { now, session, limit })]),
    );
    if (!kept.has(session)) lease.ended(session);
    else if (lease.holds(session)) for (const endpointId of claimed) held.hold(endpointId, session, startedAt);
    return claimed.length;
  }

  /** Informs the waiters and schedules the next look, in case nothing asks for one earlier. */
  function afterTake({ free, held: elsewhere }: LaneTurns, didClaim: boolean, staying: ReadonlySet<string>): void {
    const now = clock.now();
    const claimable = mayClaim() && free !== undefined && free <= now;
    // A due lane that was not claimed is locked right now, by a new event or by another node.
    if (claimable && didClaim) taking.request();
    const isBare = ({ endpointId, inHand }: LaneToFill) => inHand === 0 && !staying.has(endpointId);
    if (held.toFill(timers.now(), takesNow()).some(isBare)) taking.request();
    const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
    let waitMs = longestMs;
    if (!taking.isRequested() && !claimable) {
      const isEmpty = held.lanes.size === 0 && held.open() === 0;
      const isDue = [free, elsewhere].some((at) => at !== undefined && at <= now);
      waiters.tell({ takes, isEmpty, isDue });
      if (isEmpty && isDue && takesNow()) askForShare();
      // Nothing tells this node when another node finishes its work. So poll while somebody here waits for that.
      if (isEmpty && isDue && waiters.isAnybody()) waitMs = WAITING_POLL_MS;
      else if (mayClaim() && free !== undefined && !clock.isStill())
        waitMs = Math.min(Math.max(free - now, 0), longestMs);
    }
    nextLook?.cancel();
    // Do not keep the process alive for an idle server.
    if (!stopped) nextLook = timers.after(waitMs, look, { keepsAlive: false });
  }

  function askForShare(): void {
    if (timers.now() - askedAt < SHARE_ASKED_INTERVAL_MS) return;
    askedAt = timers.now();
    otherNodes?.askForShare();
  }

  function startReady(): void {
    if (!lease.mayStart()) return;
    for (let next = held.start(timers.now()); next; next = held.start(timers.now())) {
      const started = next;
      const { lane, target, delivery } = started;
      void makeAttempt(options, delivery, target).then((attempt) => {
        if ('shortage' in attempt) {
          held.putBack(started);
          pauseFor(attempt.shortage);
          return;
        }
        const waits = held.ended(started, {
          answered: attempt.isAnswered,
          durationMs: attempt.responseTimeMs,
        });
        const counts = held.countsFailures(lane, attempt.transition.status);
        startReady();
        if (waits === 'lane') taking.request();
        results.add({ attempt, lane, counts }, waits === 'slot');
      });
    }
  }

  function pauseFor(shortage: string): void {
    taking.request();
    if (shortagePause || stopped) return;
    if (timers.now() - warnedAt > SHORTAGE_WARNING_INTERVAL_MS) {
      warnedAt = timers.now();
      logger.warn(
        { code: shortage, retryInMs: SHORTAGE_PAUSE_MS },
        'cannot make attempts: this machine has run out of a resource',
      );
    }
    shortagePause = timers.after(SHORTAGE_PAUSE_MS, () => {
      shortagePause = undefined;
      look();
    });
    held.dropAllReady();
  }

  function look(): void {
    lookAround();
    taking.request();
  }

  return {
    /** Something may have become due. */
    wake(): void {
      if (!takes) return;
      lookAround();
      // While attempts are in flight, combine the hints of a few milliseconds into one take.
      if (held.open() === 0) taking.request();
      else takeSoon();
    },
    /** The endpoint has changed. Deliveries that wait for a slot are read again before they are sent. */
    endpointChanged(endpointId: string): void {
      held.dropReadyOf(endpointId);
      changed.add(endpointId);
      if (takes) taking.request();
    },
    /** Some endpoint has changed. All deliveries that wait for a slot are read again. */
    endpointsChanged(): void {
      held.dropAllReady();
      for (const endpointId of held.lanes.keys()) changed.add(endpointId);
      if (takes) taking.request();
    },
    /** Another node is idle: give it some of the lanes that have much waiting. */
    share(): void {
      if (!takesNow() || shares()) return;
      const now = timers.now();
      const leaving = held.shareOut(now);
      if (leaving.length === 0) return;
      sharedAt = now;
      // Discard what a running take finds in these lanes.
      for (const endpointId of leaving) changed.add(endpointId);
      taking.request();
    },
    /** Sets whether this node claims work and starts attempts. Attempts in flight finish in both cases. */
    setTaking(value: boolean): void {
      takes = value;
      lookAround();
      if (!takes) held.dropAllReady();
      taking.request();
    },
    /**
     * Resolves to true after the first take that meets the condition. Resolves to false if the signal is aborted or the
     * dispatcher stops first.
     */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      const met = waiters.until(isMet, signal);
      lookAround();
      taking.request();
      return met;
    },
    inFlight: held.open,
    lanesHeld: () => held.lanes.size,
    findOnNode: (delivery: DeliveryIds): DeliveryOnNode => ({ takes, ...held.find(delivery) }),
    attemptsWritten: results.stored,
    isHealthy: () => results.isHealthy() && taking.failures() === 0,
    /** Ends the session of this node. Call once nothing is in flight and no lane is held. */
    async leave(): Promise<void> {
      lease.stop();
      try {
        await lease.leave();
      } catch (error) {
        logger.debug({ err: error }, 'cannot end the session; the other servers end it');
      }
    },
    /** Stops all database work. Resolves when none is running. */
    async stop(): Promise<void> {
      stopped = true;
      soonTaken?.cancel();
      shortagePause?.cancel();
      lease.stop();
      await Promise.all([results.stop(), taking.stop()]);
      nextLook?.cancel();
      waiters.close();
    },
  };
}

const outcomeOf = ({ transition: { status } }: FinishedAttempt): AttemptOutcome =>
  status === 'pending' ? 'retry' : status;
