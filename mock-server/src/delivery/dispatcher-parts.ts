import { createWorkLoop } from '../runtime/work-loop.ts';
import { StorageUnavailableError } from '../storage/port.ts';
import { HeldLanes } from './lanes/held.ts';
import { createClaims } from './queue/claims.ts';
import { createGate } from './queue/gate.ts';
import { createHandOver, type OtherNodes } from './queue/hand-over.ts';
import { createNodeSession } from './queue/node-session.ts';
import { createResults, type StoredBatch } from './queue/results.ts';
import { createSweep } from './queue/sweep.ts';
import { take } from './queue/take.ts';
import type { AttemptTools, FinishedAttempt } from './sending/attempt.ts';
import { createStarter } from './start-attempts.ts';
import type { DispatcherTools } from './tools.ts';
import { POLL_INTERVAL_MS } from './tuning.ts';
import { createWaiters } from './waiters.ts';

export interface DispatcherOptions extends DispatcherTools, AttemptTools {
  concurrency: number;
  endpointConcurrency: number;
  /** Absent if no other node shares the database. */
  otherNodes?: OtherNodes | undefined;
  timeoutMs: number;
  readClock?: (() => Promise<void>) | undefined;
  /** Makes new ids higher than the ids of other nodes, even while the clock stands still. */
  followOtherIds?: (() => Promise<void>) | undefined;
  /** Returns the id of a new session. Default: a random UUID. */
  drawSession?: (() => string) | undefined;
  sendsEmails?: boolean | undefined;
}

const DATABASE_AWAY = 'cannot reach the database; deliveries will resume when the database is back';
const CANNOT_DELIVER = 'cannot take deliveries from the queue; the server will try again';

/** Connects the parts of the dispatcher: each inner function passes one part's reports on to other parts. */
export function connectParts(options: DispatcherOptions) {
  const { timers, logger, observer, otherNodes, sendsEmails = false } = options;
  const held = new HeldLanes(options);
  const waiters = createWaiters();
  const handOver = createHandOver(options);
  const gate = createGate(options, { shut: () => held.dropAllReady(), reopened: wakeUp });
  const isShared = otherNodes !== undefined;
  const nodeSession = createNodeSession({ ...options, isShared, onEnded: dropAll, onFreed: wakeUp });
  const claims = createClaims({ ...options, held, nodeSession, gate, handOver });
  const sweep = createSweep(options, wakeUp);
  const failed = (error: unknown, retryInMs: number) => {
    databaseLost();
    const isAway = error instanceof StorageUnavailableError;
    logger.error({ err: error, retryInMs }, isAway ? DATABASE_AWAY : CANNOT_DELIVER);
  };
  const refused = (endpointId: string, error: unknown) =>
    logger.error(
      { err: error, endpointId },
      'cannot store the result of an attempt to an endpoint; the server will try again',
    );
  const results = createResults({
    ...options,
    sendsEmails,
    failed,
    refused,
    onStored,
    onSessionEnded: nodeSession.ended,
  });
  const taking = createWorkLoop({ run: takeNow, failed, onTime: expectWork, timers });
  const startReady = createStarter(options, { held, nodeSession, gate, taking, results });

  let expectedWorkAt = timers.now();

  /** Makes the next look read all lanes, because a delivery may have become due in any lane. */
  function expectWork(): void {
    expectedWorkAt = timers.now();
    held.markAll();
  }

  function wakeUp(): void {
    expectWork();
    taking.request();
  }

  function databaseLost(): void {
    held.anyEndpointChanged();
    claims.databaseLost();
  }

  /** Called when another node or a reset has ended this node's session. */
  function dropAll(): void {
    const lanes = [...held.lanes.values()];
    for (const lane of lanes) held.drop(lane);
    logger.warn(
      { lanes: lanes.length },
      'the session of this server has ended; other servers may hold the lanes that this server held',
    );
    observer.lanesLost(lanes.length);
    wakeUp();
  }

  function onStored({ batch, late, autoDisabled, durationMs }: StoredBatch): void {
    for (const { attempt, lane } of batch) {
      held.stored(lane, attempt.delivery.id);
      reportAttempt(options, attempt, late.has(attempt.id));
    }
    for (const { id } of autoDisabled) {
      held.endpointChanged(id);
      logger.warn({ endpointId: id }, 'endpoint disabled: its deliveries kept failing');
      observer.endpointDisabled(id);
    }
    observer.roundEnded({ durationMs, attempts: batch.length, lanesClaimed: 0 });
    startReady();
    // Disabling an endpoint creates an event, which may have deliveries.
    if (autoDisabled.length > 0) wakeUp();
    else if (held.refresh(timers.now(), gate.isOpen()).length > 0) taking.request();
  }

  async function takeNow(): Promise<void> {
    // Do not move this line to `onTime`: under load, each take requests the next take, so the timer never fires.
    if (timers.now() - expectedWorkAt >= POLL_INTERVAL_MS) expectWork();
    await take({ ...options, held, nodeSession, claims, gate, handOver, waiters, taking, startReady });
  }

  return { held, gate, nodeSession, results, taking, sweep, handOver, waiters, expectWork, databaseLost };
}

function reportAttempt(
  { logger, observer }: DispatcherOptions,
  { delivery, number, responseTimeMs, error, transition: { status } }: FinishedAttempt,
  isLate: boolean,
): void {
  const { id: deliveryId, endpointId } = delivery;
  const ended = status === 'pending' ? 'retry' : status;
  const outcome = isLate ? 'late' : ended;
  observer.attemptStored({ outcome, durationMs: responseTimeMs, deliveryId, endpointId });
  logger.info(
    { deliveryId, endpointId, attempt: number, responseTimeMs, outcome, error: error ?? undefined },
    'attempt made',
  );
}
