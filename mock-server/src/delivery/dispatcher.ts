/*
 * Describes how a node delivers, and defines the terms that all files in this folder use.
 *
 * - The *queue* has a row for each pending delivery, with the time at which it is *due*.
 * - A *lane* is one endpoint's part of the queue. Only the node that *holds* a lane attempts the lane's deliveries. A
 *   node *claims* free lanes in the order of their *turns*, and *releases* a lane when no work is left in it. A lane's
 *   turn is the time when its next delivery is due. If this delivery waits for its first attempt, the turn is 60 s
 *   earlier. If a lane still has due deliveries when it is released, its new turn is the current time. If one of them
 *   waits for its first attempt, the new turn is usually 60 s earlier. So lanes with a backlog alternate. If a delivery
 *   of a lane is due, the lane's turn has come.
 * - A node holds its lanes under one *session*, which the node renews. In the log and the metrics, the session is
 *   called the node's *lease*. Without a session, the node starts no attempts. The results of its running attempts
 *   change nothing, and are only logged as late.
 * - A *take* claims lanes, looks at the queue, and releases lanes. A *look* reads the next deliveries of the held
 *   lanes. A delivery that was read is *ready* until it gets one of the node's *slots*. `lanes/rotation.ts` decides
 *   which delivery gets the next slot. As soon as it has a slot, the delivery is *in flight* until its result is
 *   stored. A delivery that waits for a slot for more than a second is *stale* and is read again. So are all ready
 *   deliveries of an endpoint that changes.
 * - To *store* is to write the results of finished attempts. Storing a result moves the delivery within the queue or
 *   removes it, and frees the slot. A delivery is *in hand* from the moment when it is read until its result is stored.
 *
 * Taking and storing are two loops that run in parallel. Work that arrives while a loop is running waits for the loop's
 * next run, so batches grow with the load. `dispatcher-parts.ts` connects the parts of the dispatcher. Each part owns
 * its state. `engine.ts` decides how long a closing server waits for attempts in flight.
 */
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import { connectParts, type DispatcherOptions } from './dispatcher-parts.ts';
import type { DeliveryIds } from './lanes/held.ts';
import { TAKE_DELAY_MS } from './tuning.ts';
import type { DispatcherState } from './waiters.ts';

export function createDispatcher(options: DispatcherOptions) {
  const parts = connectParts(options);
  const { held, gate, nodeSession, results, taking, sweep, sharing, waiters, lookAround, databaseLost } = parts;
  return {
    /** Call this when a delivery may have become due. */
    wake(): void {
      if (!gate.takes()) return;
      lookAround();
      // While attempts are in flight, combine all calls within a few milliseconds into one take.
      if (held.inFlight() === 0) taking.request();
      else taking.requestIn(TAKE_DELAY_MS);
    },
    /**
     * Call this when an endpoint has been changed or deleted. No attempt that starts after the call uses older data
     * about the endpoint. Without this call, it could take up to a second until the change takes effect.
     */
    endpointChanged(endpointId: string): void {
      held.endpointChanged(endpointId);
      if (gate.takes()) taking.request();
    },
    /** Like `endpointChanged`, for changes by another node that did not report which endpoints have changed. */
    endpointsChanged(): void {
      held.anyEndpointChanged();
      if (gate.takes()) taking.request();
    },
    /**
     * Call this when a connection to the database was lost: a standby without the latest commits may have taken over.
     * No attempt that starts after the call uses older data about its endpoint. An earlier reset of an endpoint's
     * failure count may be lost, so the endpoint's next success resets the count again.
     */
    databaseLost(): void {
      databaseLost();
      taking.request();
    },
    /**
     * Pauses half of the lanes that have waiting deliveries, so that idle nodes can claim these lanes. Lanes of slow
     * endpoints do not count, and are not paused. A paused lane is released if its running attempts end during the
     * pause.
     */
    share(): void {
      if (!gate.isOpen() || sharing.isActive() || held.shareOut(options.timers.now()) === 0) return;
      sharing.begin();
      taking.request();
    },
    /** Sets whether this node claims work and starts attempts. Attempts in flight always finish. */
    setTaking(value: boolean): void {
      gate.set(value);
      lookAround();
      if (!value) held.dropAllReady();
      taking.request();
    },
    /**
     * Checks the condition after each take that is not followed by another take at once. Resolves to true when the
     * condition holds. Resolves to false if the signal is aborted or the dispatcher stops before that.
     */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      const met = waiters.until(isMet, signal);
      lookAround();
      taking.request();
      return met;
    },
    /** Counts the attempts that were started and are not stored yet. */
    inFlight: () => held.inFlight(),
    lanesHeld: () => held.lanes.size,
    findOnNode: (delivery: DeliveryIds): DeliveryOnNode => ({ takes: gate.takes(), ...held.find(delivery) }),
    /** Counts the attempts that this node has stored since its start, or is storing now. */
    attemptsMade: results.stored,
    /** Returns false if the latest take or the latest store failed. */
    isHealthy: () => results.isHealthy() && taking.failures() === 0,
    /** Ends this node's session. Call this only when no attempt is in flight and this node holds no lane. */
    async leave(): Promise<void> {
      nodeSession.stop();
      try {
        await nodeSession.leave();
      } catch (error) {
        options.logger.debug(
          { err: error },
          'cannot end the session of this server; another server will end the session',
        );
      }
    },
    /** Stops all database work. Resolves when no database work is running. */
    async stop(): Promise<void> {
      gate.stop();
      nodeSession.stop();
      await Promise.all([results.stop(), taking.stop()]);
      await sweep.ended();
      waiters.close();
    },
  };
}
