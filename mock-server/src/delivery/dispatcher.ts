/*
 * Describes how a node delivers, and defines the terms that all files in this folder use.
 *
 * - The *queue* has a row for each pending delivery, with the time at which it is *due*.
 * - A *lane* is one endpoint's part of the queue. Only the node that *holds* a lane attempts the lane's deliveries. A
 *   node *claims* free lanes in the order of their *turns*, and *releases* a lane when no work is left in it. A lane's
 *   turn comes when its next delivery is due, or 60 s earlier for a first attempt.
 * - A node holds its lanes under one *session*, which the node renews. In the log and the metrics, the session is
 *   called the node's *lease*. Without a session, the node starts no attempts, and the results of its attempts are
 *   discarded.
 * - A *take* claims lanes, reads the next deliveries of the held lanes (a *look* at the queue), and releases lanes. A
 *   delivery that was read is *ready* until it gets one of the node's *slots* (`lanes/rotation.ts` decides which
 *   delivery is next). Then the delivery is *in flight*. If a delivery waits for a slot for over a second, or if the
 *   endpoint changes, the delivery is *stale*, and is read again.
 * - To *store* is to write the results of finished attempts. Storing a result moves the delivery within the queue, or
 *   removes it from the queue. A slot is free again once the result is stored.
 *
 * Taking and storing are two loops that run in parallel. Work that arrives during one run of a loop goes into the
 * loop's next run, so batches grow with the load. This file connects the parts of the dispatcher. Each part owns its
 * state. `engine.ts` decides how long a closing server waits for attempts in flight.
 */
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { type DeliveryIds, HeldLanes, type NextAttempt } from './lanes/held.ts';
import { TAKE_DELAY_MS } from './limits.ts';
import { createClaims } from './queue/claims.ts';
import { createGate } from './queue/gate.ts';
import { createNodeSession } from './queue/node-session.ts';
import { createResults, type StoredBatch } from './queue/results.ts';
import { createSharing, type OtherNodes } from './queue/sharing.ts';
import { createSweep } from './queue/sweep.ts';
import { take } from './queue/take.ts';
import { type AttemptTools, type FinishedAttempt, makeAttempt } from './sending/attempt.ts';
import type { DispatcherTools } from './tools.ts';
import { createWaiters, type DispatcherState } from './waiters.ts';

export interface DispatcherOptions extends DispatcherTools, AttemptTools {
  /** The maximum number of attempts in flight on this node. */
  concurrency: number;
  /** The maximum number of attempts in flight to one endpoint. */
  endpointConcurrency: number;
  /** The link to the other nodes that share the database. Default: there are no other nodes. */
  otherNodes?: OtherNodes | undefined;
  /** The time limit for one attempt. */
  timeoutMs: number;
  /** Generates the random id of this node's session. Default: a random UUID. */
  drawSession?: (() => string) | undefined;
  /** Whether notifications are also sent by email. */
  sendsEmails?: boolean | undefined;
}

/** Creates a dispatcher, which attempts the deliveries that are due. */
export function createDispatcher(options: DispatcherOptions) {
  const parts = connect(options);
  const { held, gate, nodeSession, results, taking, sharing, waiters, lookAround, databaseLost } = parts;
  return {
    /** Call this when a delivery may have become due. */
    wake(): void {
      if (!gate.takes()) return;
      lookAround();
      // While attempts are in flight, combine all calls within a few milliseconds into one take.
      if (held.open() === 0) taking.request();
      else taking.requestIn(TAKE_DELAY_MS);
    },
    /**
     * Call this when an endpoint has been changed or deleted. No attempt that starts after the call uses older data
     * about the endpoint: deliveries that wait for a slot are read again. Without this call, the change takes effect
     * within a second.
     */
    endpointChanged(endpointId: string): void {
      held.endpointChanged(endpointId);
      if (gate.takes()) taking.request();
    },
    /** Like `endpointChanged`, but for changes by another node that did not report which endpoints have changed. */
    endpointsChanged(): void {
      held.anyEndpointChanged();
      if (gate.takes()) taking.request();
    },
    /**
     * Call this when a connection to the database was lost: a standby without the latest commits may take over. No
     * attempt that starts after the call uses older data about its endpoint, and no failure count keeps a value that a
     * success should have reset.
     */
    databaseLost,
    /** Releases every second lane that has deliveries waiting, so that idle nodes can claim these lanes. */
    share(): void {
      if (!gate.isOpen() || sharing.isActive() || held.shareOut(options.timers.now()) === 0) return;
      sharing.begin();
      taking.request();
    },
    /** Sets whether this node claims work and starts attempts. Attempts that are already in flight always finish. */
    setTaking(value: boolean): void {
      gate.set(value);
      lookAround();
      if (!value) held.dropAllReady();
      taking.request();
    },
    /**
     * Resolves to true after the first take whose state meets the condition. Resolves to false if the signal is aborted
     * or the dispatcher stops first.
     */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      const met = waiters.until(isMet, signal);
      lookAround();
      taking.request();
      return met;
    },
    /** How many attempts this node has started, but not stored yet. */
    inFlight: () => held.open(),
    lanesHeld: () => held.lanes.size,
    /** The state of a delivery on this node. */
    findOnNode: (delivery: DeliveryIds): DeliveryOnNode => ({ takes: gate.takes(), ...held.find(delivery) }),
    /** The number of attempts that this node has made and stored since it started. */
    attemptsMade: results.stored,
    /** Whether the latest database operations succeeded. */
    isHealthy: () => results.isHealthy() && taking.failures() === 0,
    /** Ends this node's session. Call this only when nothing is in flight and no lane is held. */
    async leave(): Promise<void> {
      nodeSession.stop();
      try {
        await nodeSession.leave();
      } catch (error) {
        options.logger.debug({ err: error }, 'cannot end the session; another server will end it');
      }
    },
    /** Stops all database work. Resolves when no database call is running. */
    async stop(): Promise<void> {
      gate.stop();
      nodeSession.stop();
      await Promise.all([results.stop(), taking.stop()]);
      waiters.close();
    },
  };
}

/** Creates the parts of the dispatcher and connects them. */
function connect(options: DispatcherOptions) {
  const { timers, logger, observer, otherNodes, sendsEmails = false } = options;
  const isShared = otherNodes !== undefined;
  const held = new HeldLanes(options);
  const waiters = createWaiters();
  const sharing = createSharing(options);
  const gate = createGate(options, { shut: () => held.dropAllReady(), reopened: look });
  const nodeSession = createNodeSession({ ...options, isShared, onEnded: dropAll, onFreed: look });
  const claims = createClaims({ ...options, held, nodeSession, gate, sharing, isShared });
  const sweep = createSweep(options, look);
  const failed = (error: unknown, retryInMs: number) => {
    databaseLost();
    logger.error({ err: error, retryInMs }, 'cannot reach the database; deliveries will resume when it is back');
  };
  const refused = (endpointId: string, error: unknown) =>
    logger.error({ err: error, endpointId }, 'cannot store the results of an endpoint; will try again');
  const results = createResults({ ...options, sendsEmails, failed, refused, onStored, onEnded: nodeSession.ended });
  const taking = createWorkLoop({ run: takeNow, failed, onTime: lookAround, timers });

  /** Marks all lanes for the next look, because a delivery may have become due in any lane. */
  function lookAround(): void {
    claims.expectLanes();
    held.markAll();
  }

  function look(): void {
    lookAround();
    taking.request();
  }

  function databaseLost(): void {
    held.databaseLost();
    results.recount(({ lane, attempt }) => held.countsFailures(lane, attempt.transition.status));
  }

  /** Called when another node has ended this node's session, or when the data was replaced. */
  function dropAll(): void {
    const lanes = [...held.lanes.values()];
    for (const lane of lanes) held.drop(lane);
    logger.warn({ lanes: lanes.length }, 'the lease of this server has ended; other servers may hold its lanes');
    observer.leaseEnded(lanes.length);
    look();
  }

  /** Starts attempts while slots are free and deliveries are ready. */
  function startReady(): void {
    if (!nodeSession.mayStart()) return;
    for (let next = held.start(timers.now()); next; next = held.start(timers.now())) void attemptNow(next);
  }

  async function attemptNow(started: NextAttempt): Promise<void> {
    const { lane, target, delivery } = started;
    const attempt = await makeAttempt(options, delivery, target);
    if ('shortage' in attempt) {
      held.putBack(started);
      taking.request();
      gate.pauseFor(attempt.shortage);
      return;
    }
    const outcome = { responded: attempt.hasResponse, durationMs: attempt.responseTimeMs };
    const waits = held.ended(started, outcome);
    const counts = held.countsFailures(lane, attempt.transition.status);
    // Another attempt may be able to start now.
    startReady();
    if (waits === 'lane') taking.request();
    results.add({ attempt, lane, counts, wasRefused: false }, waits === 'slot');
  }

  function onStored({ batch, late, autoDisabled, durationMs }: StoredBatch): void {
    const now = timers.now();
    for (const { attempt, lane, counts } of batch) {
      held.written(lane, attempt.delivery.id, counts, now);
      reportAttempt(options, attempt, late.has(attempt.id));
    }
    for (const { id } of autoDisabled) {
      held.endpointChanged(id);
      logger.warn({ endpointId: id }, 'endpoint disabled: its deliveries kept failing');
      observer.endpointDisabled(id);
    }
    observer.roundEnded({ durationMs, attempts: batch.length, lanesClaimed: 0 });
    startReady();
    // Disabling an endpoint creates an event with deliveries, so look for these deliveries immediately.
    if (autoDisabled.length > 0) look();
    else if (held.toFill(now, gate.isOpen()).length > 0) taking.request();
  }

  async function takeNow(): Promise<void> {
    // Sweep here and not in a timer's callback: every take runs this line, but under load, the timer for the next take
    // never fires.
    void sweep();
    await take({ ...options, held, nodeSession, claims, gate, sharing, waiters, taking, startReady });
  }

  return { held, gate, nodeSession, results, taking, sharing, waiters, lookAround, databaseLost };
}

/** Reports a stored attempt in the log and in the metrics. */
function reportAttempt(
  { logger, observer }: DispatcherOptions,
  { delivery, number, responseTimeMs, error, transition: { status } }: FinishedAttempt,
  isLate: boolean,
): void {
  const { id: deliveryId, endpointId } = delivery;
  const ended = status === 'pending' ? 'retry' : status;
  const outcome = isLate ? 'late' : ended;
  observer.attemptWritten({ outcome, durationMs: responseTimeMs, deliveryId, endpointId });
  logger.info(
    { deliveryId, endpointId, attempt: number, responseTimeMs, outcome, error: error ?? undefined },
    'attempt made',
  );
}
