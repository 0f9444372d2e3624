import type { Clock, Instant } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { type LaneTurns, laneTurns } from '../storage/statements/lane-turns.ts';
import { sweepLeases } from '../storage/statements/sweep-leases.ts';
import { type AttemptTools, type FinishedAttempt, makeAttempt } from './attempt.ts';
import { createHeldLanes, type HeldLane } from './held-lanes.ts';
import {
  CLAIM_LANES_MAX,
  POLL_INTERVAL_MS,
  ROUND_DELAY_MS,
  SWEEP_INTERVAL_MS,
  WAITING_POLL_MS,
  WRITE_BATCH,
} from './limits.ts';
import type { DeliveryObserver } from './observer.ts';
import { type RoundReport, runRound } from './round.ts';
import { createWaiters, type DispatcherState } from './waiters.ts';

/** What the dispatcher works with. */
export interface DispatcherOptions extends AttemptTools {
  storage: Storage;
  ids: Ids;
  clock: Clock;
  logger: Logger;
  concurrency: number;
  endpointConcurrency: number;
  observer: DeliveryObserver;
}

/**
 * Drives deliveries: makes attempts as slots are free, and exchanges results for new work with the database in rounds,
 * one at a time. Whatever ends while a round runs goes into the next, so batches grow with the load.
 */
export function createDispatcher(options: DispatcherOptions) {
  const { storage, clock, ids, logger, observer } = options;
  const held = createHeldLanes(options);
  let finished: { attempt: FinishedAttempt; lane: HeldLane }[] = [];
  let takes = false;
  let requested = false;
  /** Whether lanes may have fallen due since the last round looked. */
  let looksForLanes = false;
  let nextTurnAt: Instant | undefined;
  let running = false;
  let current = Promise.resolve();
  let stopped = false;
  let failedRounds = 0;
  let attemptsWritten = 0;
  let sweptAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  const waiters = createWaiters();

  function request(): void {
    clearTimeout(soon);
    soon = undefined;
    requested = true;
    // While the database is away, only the timer tries again.
    if (running || failedRounds > 0) return;
    run();
  }

  function requestSoon(): void {
    if (!stopped) soon ??= setTimeout(request, ROUND_DELAY_MS);
  }

  /** Something may have fallen due anywhere. */
  function lookAround(): void {
    looksForLanes = true;
    held.markAll();
  }

  function run(): void {
    if (stopped) return;
    running = true;
    clearTimeout(timer);
    current = loop();
  }

  async function loop(): Promise<void> {
    let waitMs = POLL_INTERVAL_MS;
    do {
      requested = false;
      try {
        const report = await round();
        failedRounds = 0;
        waitMs = afterRound(report);
      } catch (error) {
        failedRounds++;
        waitMs = Math.min(100 * 2 ** (failedRounds - 1), 5_000);
        logger.error({ err: error, retryInMs: waitMs }, 'deliveries cannot be exchanged with the database');
        requested = false;
      }
    } while (requested);
    running = false;
    if (!stopped) timer = setTimeout(tick, waitMs);
  }

  async function round(): Promise<RoundReport> {
    const batch = [...finished];
    const startedAt = performance.now();
    const finishedOf = Map.groupBy(batch, ({ lane }) => lane);
    const lanes = held.inRound(startedAt, takes, (lane) => finishedOf.get(lane)?.length ?? 0);
    const laneRoom = Math.max(0, options.concurrency - held.lanes.size);
    const mayClaim = takes && (looksForLanes || (nextTurnAt !== undefined && nextTurnAt <= clock.now()));
    looksForLanes = false;
    const order = {
      now: clock.now(),
      finished: batch.map(({ attempt, lane }) => ({ ...attempt, leaseToken: lane.leaseToken })),
      mayBeWritten: failedRounds > 0,
      lanes,
      claim: { lanes: mayClaim ? Math.min(CLAIM_LANES_MAX, laneRoom) : 0, room: options.endpointConcurrency },
      isInHand: held.isInHand,
    };
    if (batch.length === 0 && lanes.length === 0) {
      // Nothing to write: a look suffices, unless a lane can be claimed.
      const turns = await storage.read(laneTurns);
      nextTurnAt = turns.free;
      if (order.claim.lanes === 0 || turns.free === undefined || turns.free > order.now) return nothingDone(turns);
    }
    const report = await storage.write((queries) => runRound(queries, ids, order));

    nextTurnAt = report.turns.free;
    finished = finished.slice(batch.length);
    for (const { attempt, lane } of batch) held.written(lane, attempt.delivery.id);
    attemptsWritten += batch.length;
    for (const lane of report.claimed) held.hold(lane.endpointId, lane.leaseToken, startedAt);
    for (const lane of lanes) if (lane.extend) held.extended(lane.endpointId, startedAt);
    for (const endpointId of [...report.released, ...report.lost]) held.drop(endpointId);
    for (const [endpointId, taken] of report.taken) {
      held.fill(endpointId, taken, report.withMore.has(endpointId), startedAt);
    }
    observer.roundEnded({
      durationMs: performance.now() - startedAt,
      attempts: batch.length,
      lanesClaimed: report.claimed.length,
      leasesLost: report.lost.length,
    });
    for (const endpoint of report.autoDisabled) {
      logger.warn({ endpointId: endpoint.id }, 'endpoint disabled: its deliveries kept failing');
      observer.endpointDisabled();
    }
    return report;
  }

  /** @returns how long nothing need be done unless something ends or the dispatcher is woken. */
  function afterRound(report: RoundReport): number {
    startReady();
    const now = clock.now();
    const { free, held: elsewhere } = report.turns;
    const mayClaim = takes && held.lanes.size < options.concurrency;
    if (mayClaim && free !== undefined && free <= now) requested = true;
    if (!requested) {
      const isEmpty = held.lanes.size === 0 && held.open() === 0;
      const isDue = [free, elsewhere].some((at) => at !== undefined && at <= now);
      waiters.tell({ takes, isEmpty, isDue });
      // What another node is about tells nobody here when it ends, so whoever waits for it has it looked at.
      if (isEmpty && isDue && waiters.isAnybody()) return WAITING_POLL_MS;
    }
    return mayClaim && free !== undefined ? Math.min(Math.max(free - now, 0), POLL_INTERVAL_MS) : POLL_INTERVAL_MS;
  }

  function startReady(): void {
    for (let next = held.start(performance.now()); next; next = held.start(performance.now())) {
      const started = next;
      const { lane, target, delivery } = started;
      void makeAttempt(options, delivery, target).then((attempt) => {
        const waits = held.ended(started, {
          answered: attempt.answer !== undefined,
          durationMs: attempt.responseTimeMs,
        });
        finished.push({ attempt, lane });
        observer.attemptEnded({ outcome: attempt.transition.status, durationMs: attempt.responseTimeMs });
        startReady();
        if (waits || finished.length >= WRITE_BATCH) request();
        else requestSoon();
      });
    }
  }

  function tick(): void {
    lookAround();
    if (performance.now() - sweptAt > SWEEP_INTERVAL_MS) {
      sweptAt = performance.now();
      storage.write(sweepLeases).then(
        (swept) => swept > 0 && logger.warn({ lanes: swept }, 'leases ran out and were taken back'),
        (error: unknown) => logger.error({ err: error }, 'leases cannot be swept'),
      );
    }
    if (!running) run();
  }

  return {
    /** Something may have become due. */
    wake(): void {
      if (!takes) return;
      lookAround();
      // While attempts are made anyway, what comes in a few milliseconds is looked for together.
      if (held.open() === 0) request();
      else requestSoon();
    },
    /** The endpoint was changed: what waits for a slot is read again before it is sent. */
    endpointChanged(endpointId: string): void {
      held.dropReadyOf(endpointId);
      if (takes) request();
    },
    /** Whether work is claimed and attempts are started; what is in flight is finished either way. */
    setTaking(value: boolean): void {
      takes = value;
      lookAround();
      if (!takes) held.dropAllReady();
      request();
    },
    /** Resolves after the first round behind which this holds, or when the signal is aborted. */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      const met = waiters.until(isMet, signal);
      lookAround();
      request();
      return met;
    },
    inFlight: held.open,
    attemptsWritten: () => attemptsWritten,
    isHealthy: () => failedRounds === 0,
    /** Never asks the database again. Resolves when it asks nothing any more. */
    async stop(): Promise<void> {
      stopped = true;
      requested = false;
      clearTimeout(timer);
      clearTimeout(soon);
      await current;
    },
  };
}

const nothingDone = (turns: LaneTurns): RoundReport => ({
  claimed: [],
  taken: new Map(),
  withMore: new Set(),
  released: [],
  lost: [],
  autoDisabled: [],
  turns,
});
