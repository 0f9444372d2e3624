/*
 * Describes how a node sends deliveries, and defines the terms that all files in this folder use.
 *
 * - The *queue* has a row for each pending delivery, with the time at which it is *due*.
 * - A *lane* is one endpoint's part of the queue. Only the node that *holds* a lane attempts the lane's deliveries. A
 *   node *claims* free lanes in the order of their *turns*. The node *releases* a lane when no work is left in it, when
 *   the node has held the lane for a long time and can hold no more lanes, or when an idle node can take over the lane.
 *   A lane's turn is the time when its next delivery is due, or 60 s earlier if this delivery waits for its first
 *   attempt. If a lane has due deliveries when it is released, its turn becomes the current time, or 60 s earlier if
 *   one of these deliveries waits for its first attempt. So lanes with a backlog alternate. `releaseLanes`,
 *   `passOnLanes` and `bringLanesForward` may leave out the 60 s. If a lane has a due delivery, its turn has come.
 * - A node holds its lanes under one *session*, which the node renews. Without a session, the node starts no attempts,
 *   and the results of its running attempts change nothing. These results are logged as *late*, unless a reset has
 *   deleted their deliveries.
 * - A *take* claims lanes, looks at the queue, and releases lanes. A *look* reads the next deliveries of the held
 *   lanes. After a delivery is read, it is *ready* until it gets one of the node's *slots*. `lanes/rotation.ts` decides
 *   which delivery gets the next slot. A delivery with a slot is *in flight* until its result is stored. A delivery
 *   that waits for a slot for more than a second is *stale* and is read again. If an endpoint changes, all its ready
 *   deliveries are read again.
 * - To *store* is to write the results of finished attempts. Storing a result moves the delivery within the queue or
 *   removes it, and frees its slot. A delivery is *in hand* from the moment when it is read until its result is stored.
 *
 * Taking and storing run in parallel, with at most one take and two stores at a time. Work that arrives while the take
 * is running waits for the next take, and results that arrive while both stores are running wait for the next store, so
 * batches grow with the load. `dispatcher-parts.ts` connects the parts of the dispatcher, and each part owns its state.
 * `engine.ts` decides how long a closing server waits for attempts in flight.
 */
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import { connectParts, type DispatcherOptions } from './dispatcher-parts.ts';
import type { DeliveryIds } from './lanes/held.ts';
import { TAKE_DELAY_MS } from './tuning.ts';
import type { DispatcherState } from './waiters.ts';

export function createDispatcher(options: DispatcherOptions) {
  const parts = connectParts(options);
  const { held, gate, nodeSession, results, taking, sweep, handOver, waiters, expectWork, databaseLost } = parts;
  return {
    /** Call this when a delivery may have become due. */
    wake(): void {
      if (!gate.takes()) return;
      expectWork();
      // While attempts are in flight, combine all calls within a few milliseconds into one take.
      if (held.inFlight() === 0) taking.request();
      else taking.requestIn(TAKE_DELAY_MS);
    },
    /**
     * Call this when an endpoint has been changed or deleted. Attempts that start after this call do not use the
     * endpoint's old data. Without this call, the change can take up to a second to take effect.
     */
    endpointChanged(endpointId: string): void {
      held.endpointChanged(endpointId);
      if (gate.takes()) taking.request();
    },
    /** Call this when another node has changed endpoints, but has not reported which endpoints changed. */
    endpointsChanged(): void {
      held.anyEndpointChanged();
      if (gate.takes()) taking.request();
    },
    /**
     * Call this after a connection to the database was lost: a standby may have taken over without the latest changes
     * to endpoints.
     */
    databaseLost(): void {
      databaseLost();
      taking.request();
    },
    /**
     * Pauses half of the lanes that have waiting deliveries, so that idle nodes can claim these lanes. A paused lane is
     * released if its running attempts end during the pause. Does not pause lanes of slow endpoints.
     */
    handOver(): void {
      if (!gate.isOpen() || handOver.isActive() || held.pauseForHandOver(options.timers.now()) === 0) return;
      handOver.begin();
      taking.request();
    },
    /** Sets whether this node claims work and starts attempts. Attempts in flight always finish. */
    setTaking(value: boolean): void {
      gate.set(value);
      expectWork();
      if (!value) held.dropAllReady();
      taking.request();
    },
    /**
     * Resolves to true when `isMet` returns true at the end of a take, and no other take follows immediately. Resolves
     * to false if the signal is aborted or the dispatcher stops first.
     */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      const met = waiters.until(isMet, signal);
      expectWork();
      taking.request();
      return met;
    },
    inFlight: () => held.inFlight(),
    lanesHeld: () => held.lanes.size,
    findOnNode: (delivery: DeliveryIds): DeliveryOnNode => ({ takes: gate.takes(), ...held.find(delivery) }),
    /** The number of attempts whose results this node has stored since its start, or is storing now. */
    attemptsMade: results.stored,
    /** Whether the latest take and the latest store reached the database. */
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
    async stop(): Promise<void> {
      gate.stop();
      nodeSession.stop();
      await Promise.all([results.stop(), taking.stop(), sweep.stop()]);
      waiters.close();
    },
  };
}
