import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import type { ClaimedLane } from '../storage/statements/claim-lanes.ts';
import { type LaneTurns, laneTurns } from '../storage/statements/lane-turns.ts';
import { together } from '../storage/together.ts';
import { type AttemptTools, type FinishedAttempt, makeAttempt } from './attempt.ts';
import { claim } from './claim.ts';
import { createExchange } from './exchange.ts';
import { giveBack } from './give-back.ts';
import { createHeldLanes, type DeliveryIds, type HeldLane, type LaneToFill } from './held-lanes.ts';
import {
  CLAIM_LANES_MAX,
  LOCKED_LANE_POLL_MS,
  POLL_INTERVAL_MS,
  SHARE_ASKED_INTERVAL_MS,
  SHARING_MS,
  SHORTAGE_PAUSE_MS,
  SHORTAGE_WARNING_INTERVAL_MS,
  TAKE_DELAY_MS,
  WAITING_POLL_MS,
  WRITE_BATCH,
  WRITE_BATCH_MAX,
  WRITE_DELAY_MS,
  WRITES_AT_ONCE,
} from './limits.ts';
import type { AttemptOutcome, DeliveryObserver } from './observer.ts';
import { createSweep } from './sweep.ts';
import { takeDue } from './take-due.ts';
import { createWaiters, type DispatcherState } from './waiters.ts';
import { type WriteBackReport, writeBack, writeBackAtOnce } from './write-back.ts';

/** The parts and settings of the dispatcher. */
export interface DispatcherOptions extends AttemptTools {
  storage: Storage;
  ids: Ids;
  logger: Logger;
  concurrency: number;
  endpointConcurrency: number;
  observer: DeliveryObserver;
  otherNodes?: OtherNodes | undefined;
  /** Whether notifications also go out by email. */
  sendsEmails?: boolean | undefined;
}

/** The other nodes on the same database. */
export interface OtherNodes {
  /** The name under which this node holds lanes. Undefined if other nodes cannot see whether this node is connected. */
  ownName: string | undefined;
  /** Whether a node is gone. Nothing that it had in flight is still running. */
  isGone(node: string): boolean;
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
  const { storage, clock, ids, logger, observer, otherNodes, sendsEmails = false } = options;
  const held = createHeldLanes(options);
  let finished: Finished[] = [];
  /** Write-backs that have started and not ended. */
  const underWay = new Set<{ endpointIds: ReadonlySet<string>; isLookedAt: boolean }>();
  let takes = false;
  /**
   * Set while this node lacks a resource for attempts. Meanwhile it starts none, and other nodes can take the lanes.
   */
  let shortagePause: NodeJS.Timeout | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const takesNow = () => takes && !shortagePause;
  /** Whether lanes may have become due since the latest take. */
  let looksForLanes = false;
  let nextTurnAt: Instant | undefined;
  /** Endpoints that have changed since the latest take began. What that take read about them may be old. */
  const changed = new Set<string>();
  let stopped = false;
  let attemptsWritten = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let sharedAt = Number.NEGATIVE_INFINITY;
  const shares = () => performance.now() - sharedAt < SHARING_MS;
  const mayClaim = () => takesNow() && !shares() && held.laneRoom() > 0;
  let nextLook: NodeJS.Timeout | undefined;
  let soonWritten: NodeJS.Timeout | undefined;
  let soonTaken: NodeJS.Timeout | undefined;
  const waiters = createWaiters();
  const failed = (error: unknown, retryInMs: number) =>
    logger.error({ err: error, retryInMs }, 'cannot reach the database; deliveries will resume when it is back');
  const sweep = createSweep({ storage, clock, logger, isGone: otherNodes?.isGone, onSwept: look });
  const writing = createExchange({ run: writeFinished, failed, width: WRITES_AT_ONCE });
  const taking = createExchange({ run: take, failed, width: 1 });

  function writeNow(): void {
    clearTimeout(soonWritten);
    soonWritten = undefined;
    writing.request();
  }

  function writeSoon(): void {
    if (!stopped) soonWritten ??= setTimeout(writeNow, WRITE_DELAY_MS);
  }

  function takeSoon(): void {
    if (stopped || soonTaken) return;
    soonTaken = setTimeout(() => {
      soonTaken = undefined;
      taking.request();
    }, TAKE_DELAY_MS);
  }

  /** Something may have become due in any lane. */
  function lookAround(): void {
    looksForLanes = true;
    held.markAll();
  }

  async function writeFinished(): Promise<void> {
    const { batch, isLookedAt } = nextBatch();
    if (batch.length === 0) return;
    if (finished.length > 0) writing.request();
    const startedAt = performance.now();
    const report = await write(batch, isLookedAt);

    for (const { attempt, lane } of batch) {
      held.written(lane, attempt.delivery.id);
      tell(attempt, report.late.has(attempt.id) ? 'late' : outcomeOf(attempt));
    }
    const leasesLost = drop(report.lost);
    for (const { id } of report.autoDisabled) {
      held.dropReadyOf(id);
      changed.add(id);
      logger.warn({ endpointId: id }, 'endpoint disabled: its deliveries kept failing');
      observer.endpointDisabled(id);
    }
    observer.roundEnded({
      durationMs: performance.now() - startedAt,
      attempts: batch.length,
      lanesClaimed: 0,
      leasesLost,
    });
    startReady();
    // Disabling an endpoint creates an event, which has deliveries.
    if (report.autoDisabled.length > 0) lookAround();
    if (report.autoDisabled.length > 0 || held.toFill(performance.now(), takesNow()).length > 0) taking.request();
    if (finished.length >= WRITE_BATCH) writeNow();
    else if (finished.length > 0) writeSoon();
  }

  /**
   * Attempts that need a closer look get a separate batch, so that they do not delay the rest. The batch has
   * everything that has ended for their endpoints, and no other write-back of those endpoints runs at the same time. So
   * consecutive failures are counted in the order in which deliveries ended.
   */
  function nextBatch(): { batch: Finished[]; isLookedAt: boolean } {
    const lookedAt = new Set(finished.filter((item) => item.isLookedAt).map(endpointOf));
    const others = [...underWay];
    const waits = (endpointId: string) =>
      others.some((write) => write.endpointIds.has(endpointId) && (write.isLookedAt || lookedAt.has(endpointId)));
    const first = finished.find((item) => !waits(endpointOf(item)));
    const isLookedAt = first !== undefined && lookedAt.has(endpointOf(first));
    const batch: Finished[] = [];
    finished = finished.filter((item) => {
      const endpointId = endpointOf(item);
      const isChosen = batch.length < WRITE_BATCH_MAX && lookedAt.has(endpointId) === isLookedAt && !waits(endpointId);
      if (isChosen) batch.push(item);
      return !isChosen;
    });
    return { batch, isLookedAt };
  }

  async function write(batch: readonly Finished[], isLookedAt: boolean): Promise<WriteBackReport> {
    const attempts = batch.map(({ attempt, lane }) => ({ ...attempt, leaseToken: lane.leaseToken }));
    const mayBeWritten = batch.some((item) => item.mayBeWritten);
    const started = { endpointIds: new Set(batch.map(endpointOf)), isLookedAt };
    underWay.add(started);
    // Count before the commit is confirmed. A node that sees the result and asks for the count must find it included.
    attemptsWritten += batch.length;
    try {
      if (!isLookedAt && (await writeBackAtOnce(storage, attempts))) return AS_EXPECTED;
      return await storage.write((queries) =>
        writeBack(queries, ids, attempts, clock.now(), { mayBeWritten, sendsEmails }),
      );
    } catch (error) {
      attemptsWritten -= batch.length;
      // Sort by id, which is the order in which attempts ended.
      finished = [...batch.map((item) => ({ ...item, isLookedAt: true, mayBeWritten: true })), ...finished].sort(
        (a, b) => (a.attempt.id < b.attempt.id ? -1 : 1),
      );
      throw error;
    } finally {
      underWay.delete(started);
    }
  }

  async function take(): Promise<void> {
    clearTimeout(nextLook);
    // Every look runs this line. Under load, the timer for the next look never fires.
    void sweep();
    const startedAt = performance.now();
    const { claimed, lost } = await claimDue(startedAt);
    held.looks();
    changed.clear();
    const now = clock.now();
    const lanes = held.toFill(performance.now(), takesNow());
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
      staying = await storage.write((queries) => giveBack(queries, order));
      if (closed.length > 0) observer.deliveriesDisabled?.();
      for (const lane of done) if (!staying.has(lane.endpointId)) held.drop(lane);
      if (shares() && done.length > staying.size) otherNodes?.tellOfLanes();
      turns = await storage.read(laneTurns);
    }
    nextTurnAt = turns.free;
    observer.roundEnded({
      durationMs: performance.now() - startedAt,
      attempts: 0,
      lanesClaimed: claimed,
      leasesLost: lost,
    });
    afterTake(turns, claimed > 0, staying);
  }

  /**
   * Lets go of lost lanes. Returns how many this node still held, because the same lane can be reported several times.
   */
  const drop = (lost: readonly ClaimedLane[]) => lost.filter(held.drop).length;

  /** Reports the outcome of an attempt once it is stored. */
  function tell({ delivery, number, responseTimeMs, error }: FinishedAttempt, outcome: AttemptOutcome): void {
    const { id, endpointId } = delivery;
    observer.attemptWritten({ outcome, durationMs: responseTimeMs, deliveryId: id, endpointId });
    const line = { deliveryId: id, endpointId, attempt: number, responseTimeMs, outcome, error: error ?? undefined };
    logger.info(line, 'attempt made');
  }

  /** Extends leases that end soon and claims lanes whose turn has come. */
  async function claimDue(startedAt: number): Promise<{ claimed: number; lost: number }> {
    const extending = held.runningShort(startedAt);
    const laneRoom = mayClaim() ? held.laneRoom() : 0;
    if (laneRoom > 0 && looksForLanes) nextTurnAt = (await storage.read(laneTurns)).free;
    looksForLanes = false;
    const now = clock.now();
    const isDue = nextTurnAt !== undefined && nextTurnAt <= now;
    const limit = isDue ? Math.min(CLAIM_LANES_MAX, laneRoom) : 0;
    if (limit === 0 && extending.length === 0) return { claimed: 0, lost: 0 };
    const order = { now, extending, held: [...held.lanes.keys()], limit, holder: otherNodes?.ownName ?? null };
    const report = await storage.write((queries) => claim(queries, order));
    for (const { endpointId } of report.extended) held.extended(endpointId, startedAt);
    const lost = drop(report.lost);
    for (const lane of report.claimed) held.hold(lane.endpointId, lane.leaseToken, startedAt);
    return { claimed: report.claimed.length, lost };
  }

  /** Informs the waiters and schedules the next look, in case nothing asks for one earlier. */
  function afterTake({ free, held: elsewhere }: LaneTurns, didClaim: boolean, staying: ReadonlySet<string>): void {
    const now = clock.now();
    const claimable = mayClaim() && free !== undefined && free <= now;
    // A due lane that was not claimed is locked right now, by a new event or by another node.
    if (claimable && didClaim) taking.request();
    const isBare = ({ endpointId, inHand }: LaneToFill) => inHand === 0 && !staying.has(endpointId);
    if (held.toFill(performance.now(), takesNow()).some(isBare)) taking.request();
    const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
    let waitMs = longestMs;
    if (!taking.isRequested() && !claimable) {
      const isEmpty = held.lanes.size === 0 && held.open() === 0;
      const isDue = [free, elsewhere].some((at) => at !== undefined && at <= now);
      waiters.tell({ takes, isEmpty, isDue });
      if (isEmpty && isDue && takesNow()) askForShare();
      // Nothing tells this node when another node finishes its work. So poll while somebody here waits for that.
      if (isEmpty && isDue && waiters.isAnybody()) waitMs = WAITING_POLL_MS;
      else if (mayClaim() && free !== undefined) waitMs = Math.min(Math.max(free - now, 0), longestMs);
    }
    clearTimeout(nextLook);
    // Do not keep the process alive for an idle server.
    if (!stopped) nextLook = setTimeout(look, waitMs).unref();
  }

  function askForShare(): void {
    if (performance.now() - askedAt < SHARE_ASKED_INTERVAL_MS) return;
    askedAt = performance.now();
    otherNodes?.askForShare();
  }

  function startReady(): void {
    for (let next = held.start(performance.now()); next; next = held.start(performance.now())) {
      const started = next;
      const { lane, target, delivery } = started;
      void makeAttempt(options, delivery, target).then((attempt) => {
        if ('shortage' in attempt) {
          held.putBack(started);
          pauseFor(attempt.shortage);
          return;
        }
        const waits = held.ended(started, {
          answered: attempt.answer !== undefined,
          durationMs: attempt.responseTimeMs,
        });
        const { status } = attempt.transition;
        const isLookedAt = status === 'failed' || (status === 'success' && target.isFailing);
        finished.push({ attempt, lane, isLookedAt, mayBeWritten: false });
        startReady();
        if (waits === 'lane') taking.request();
        if (finished.length >= WRITE_BATCH || (waits === 'slot' && !writing.isRunning())) writeNow();
        else writeSoon();
      });
    }
  }

  function pauseFor(shortage: string): void {
    taking.request();
    if (shortagePause || stopped) return;
    if (performance.now() - warnedAt > SHORTAGE_WARNING_INTERVAL_MS) {
      warnedAt = performance.now();
      logger.warn(
        { code: shortage, retryInMs: SHORTAGE_PAUSE_MS },
        'cannot make attempts: this machine has run out of a resource',
      );
    }
    shortagePause = setTimeout(() => {
      shortagePause = undefined;
      look();
    }, SHORTAGE_PAUSE_MS);
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
      const now = performance.now();
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
    attemptsWritten: () => attemptsWritten,
    isHealthy: () => writing.failures() === 0 && taking.failures() === 0,
    /** Stops all database work. Resolves when none is running. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(soonWritten);
      clearTimeout(soonTaken);
      clearTimeout(shortagePause);
      await Promise.all([writing.stop(), taking.stop()]);
      clearTimeout(nextLook);
      waiters.close();
    },
  };
}

/** An attempt that waits to be written back. */
interface Finished {
  attempt: FinishedAttempt;
  lane: HeldLane;
  /**
   * Whether the write must read stored data first: the attempt may change a count of failures, or may already be
   * stored.
   */
  isLookedAt: boolean;
  /** Whether an earlier write of this attempt failed or got no reply. */
  mayBeWritten: boolean;
}

const outcomeOf = ({ transition: { status } }: FinishedAttempt): AttemptOutcome =>
  status === 'pending' ? 'retry' : status;

const endpointOf = ({ attempt }: Finished) => attempt.delivery.endpointId;

const AS_EXPECTED: WriteBackReport = { autoDisabled: [], lost: [], late: new Set() };
