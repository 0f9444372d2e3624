/*
 * How a node delivers, and the words that all files of this folder use.
 *
 * - The *queue* has a row for each pending delivery, with the time at which it falls *due*.
 * - A *lane* is the part of the queue of one endpoint. Only the node that *holds* a lane attempts its deliveries. A node
 *   *claims* free lanes in the order of their turns, and *releases* them when no work is left.
 * - A node holds its lanes under one *session*, which it renews. That is its *lease*. Without it, the node starts nothing
 *   and nothing that it stores counts.
 * - To *take* is to claim lanes, to read the next deliveries of the held lanes, and to release lanes. What was read is
 *   *ready* until it gets one of the node's *slots* (`lanes/rotation.ts` decides who is next). Then it is *in flight*.
 * - To *store* is to write the results of finished attempts. That moves each delivery in the queue, or out of it. A slot
 *   is free again once the result is stored.
 *
 * Taking and storing are two loops that run beside each other. Whatever arrives while one of them runs goes into its next
 * run, so batches grow with the load. This file connects the parts. Each part owns its own state.
 */
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import type { Storage } from '../storage/port.ts';
import type { LaneTurns } from '../storage/statements/lanes/turns.ts';
import { createHeldLanes, type DeliveryIds } from './lanes/held.ts';
import { LOCKED_LANE_POLL_MS, POLL_INTERVAL_MS, TAKE_DELAY_MS, WAITING_POLL_MS } from './limits.ts';
import type { DeliveryObserver } from './observer.ts';
import { createClaims } from './queue/claims.ts';
import { createGate } from './queue/gate.ts';
import { createNodeLease } from './queue/node-lease.ts';
import { createResults, type StoredBatch } from './queue/results.ts';
import { createSharing, type OtherNodes } from './queue/sharing.ts';
import { createSweep } from './queue/sweep.ts';
import { type Taken, take } from './queue/take.ts';
import type { AttemptTools } from './sending/attempt.ts';
import { reportAttempt, startAttempts } from './start-attempts.ts';
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
  /** Draws the random id of this node's session. Default: the system's random numbers. */
  drawSession?: (() => string) | undefined;
  /** Whether notifications also go out by email. */
  sendsEmails?: boolean | undefined;
}

/** Runs deliveries. */
export function createDispatcher(options: DispatcherOptions) {
  const parts = connect(options);
  const { held, gate, lease, results, taking, sharing, waiters, lookAround } = parts;
  return {
    /** Something may have become due. */
    wake(): void {
      if (!gate.takes()) return;
      lookAround();
      // While attempts are in flight, combine the hints of a few milliseconds into one take.
      if (held.open() === 0) taking.request();
      else taking.requestIn(TAKE_DELAY_MS);
    },
    /** The endpoint has changed. Deliveries that wait for a slot are read again before they are sent. */
    endpointChanged(endpointId: string): void {
      held.endpointChanged(endpointId);
      if (gate.takes()) taking.request();
    },
    /** Some endpoint has changed. All deliveries that wait for a slot are read again. */
    endpointsChanged(): void {
      held.anyEndpointChanged();
      if (gate.takes()) taking.request();
    },
    /** Another node is idle: give it some of the lanes that have many deliveries waiting. */
    share(): void {
      if (!gate.isOpen() || sharing.isActive() || held.shareOut(options.timers.now()) === 0) return;
      sharing.begin();
      taking.request();
    },
    /** Sets whether this node claims work and starts attempts. Attempts in flight finish in both cases. */
    setTaking(value: boolean): void {
      gate.set(value);
      lookAround();
      if (!value) held.dropAllReady();
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
    findOnNode: (delivery: DeliveryIds): DeliveryOnNode => ({ takes: gate.takes(), ...held.find(delivery) }),
    attemptsWritten: results.stored,
    isHealthy: () => results.isHealthy() && taking.failures() === 0,
    /** Ends the session of this node. Call once nothing is in flight and no lane is held. */
    async leave(): Promise<void> {
      lease.stop();
      try {
        await lease.leave();
      } catch (error) {
        options.logger.debug({ err: error }, 'cannot end the session; the other servers end it');
      }
    },
    /** Stops all database work. Resolves when none is running. */
    async stop(): Promise<void> {
      gate.stop();
      lease.stop();
      await Promise.all([results.stop(), taking.stop()]);
      waiters.close();
    },
  };
}

/** Creates the parts of the dispatcher and connects them. */
function connect(options: DispatcherOptions) {
  const { clock, timers, logger, observer, otherNodes, sendsEmails = false } = options;
  const isShared = otherNodes !== undefined;
  const held = createHeldLanes(options);
  const waiters = createWaiters();
  const sharing = createSharing({ timers, otherNodes });
  const gate = createGate({ timers, logger, onShut: held.dropAllReady, onReopened: look });
  const lease = createNodeLease({ ...options, isShared, onEnded: dropAll, onFreed: look });
  const mayClaim = () => gate.isOpen() && !sharing.isActive() && held.laneRoom() > 0;
  const claims = createClaims({ ...options, held, lease, isShared, mayClaim });
  const sweep = createSweep({ ...options, onSwept: look });
  const failed = (error: unknown, retryInMs: number) =>
    logger.error({ err: error, retryInMs }, 'cannot reach the database; deliveries will resume when it is back');
  const results = createResults({ ...options, sendsEmails, failed, onStored, onEnded: lease.ended });
  const taking = createWorkLoop({ run: takeNow, failed, onTime: lookAround, timers });
  const startReady = () => startAttempts({ ...options, held, lease, gate, results, taking });

  /** Something may have become due in any lane. */
  function lookAround(): void {
    claims.expectLanes();
    held.markAll();
  }

  function look(): void {
    lookAround();
    taking.request();
  }

  /** Another node has ended the session of this one, or the data was replaced. */
  function dropAll(): void {
    const lanes = [...held.lanes.values()];
    for (const lane of lanes) held.drop(lane);
    logger.warn({ lanes: lanes.length }, 'the lease of this server has ended; other servers may hold its lanes');
    observer.leaseEnded(lanes.length);
    look();
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
    // Disabling an endpoint creates an event, which has deliveries.
    if (autoDisabled.length > 0) look();
    else if (held.toFill(now, gate.isOpen()).length > 0) taking.request();
  }

  async function takeNow(): Promise<void> {
    // Every look runs this line. Under load, the timer for the next look never fires.
    void sweep();
    plan(await take({ ...options, held, lease, claims, gate, sharing, startReady }));
  }

  /** Decides when to take again, unless something requests it earlier. */
  function plan({ turns, claimed, staying }: Taken): void {
    const claimable = mayClaim() && turns.free !== undefined && turns.free <= clock.now();
    // A due lane that was not claimed is locked right now, by a new event or by another node.
    if (claimable && claimed > 0) taking.request();
    const needs = held.toFill(timers.now(), gate.isOpen());
    if (needs.some(({ endpointId, inHand }) => inHand === 0 && !staying.has(endpointId))) taking.request();
    const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
    const isBusy = taking.isRequested() || claimable;
    taking.requestIn(isBusy ? longestMs : Math.min(longestMs, rest(turns)));
  }

  /** Nothing is left to do at the moment: informs the waiters. @returns how long to wait for the next look. */
  function rest({ free, held: elsewhere }: LaneTurns): number {
    const now = clock.now();
    const isEmpty = held.lanes.size === 0 && held.open() === 0;
    const isDue = [free, elsewhere].some((at) => at !== undefined && at <= now);
    waiters.tell({ takes: gate.takes(), isEmpty, isDue });
    if (isEmpty && isDue && gate.isOpen()) sharing.ask();
    // Nothing informs this node when another node finishes its work. So poll while somebody here waits for that.
    if (isEmpty && isDue && waiters.isAnybody()) return WAITING_POLL_MS;
    if (mayClaim() && free !== undefined && !clock.isStill()) return Math.max(free - now, 0);
    return POLL_INTERVAL_MS;
  }

  return { held, gate, lease, results, taking, sharing, waiters, lookAround };
}
