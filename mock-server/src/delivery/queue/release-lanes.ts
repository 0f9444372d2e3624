import type { Instant } from '../../domain/instant.ts';
import { type ClaimedLane, lockLanes, passOnLanes, releaseLanes } from '../../storage/delivery/claim-lanes.ts';
import { keepSessions } from '../../storage/delivery/node-sessions.ts';
import { disableDeliveries, findDuePlaces } from '../../storage/delivery/queue-places.ts';
import type { Queries } from '../../storage/port.ts';
import { findActive } from '../../storage/statements/endpoints.ts';
import { together } from '../../storage/together.ts';
import { DISABLED_BATCH } from '../tuning.ts';

export interface ReleaseOrder {
  /** Lanes without work. A lane with `mayStay` is kept while an event for its endpoint is being stored. */
  done: readonly (ClaimedLane & { mayStay: boolean })[];
  /** Lanes with due deliveries to an inactive or deleted endpoint. These deliveries end as `disabled`. */
  closed: readonly ClaimedLane[];
  now: Instant;
  isSkipped(deliveryId: string): boolean;
}

/**
 * Ends due deliveries to inactive or deleted endpoints as `disabled`, and releases lanes without work. Skips a lane
 * that the lane's session no longer holds. If another transaction has locked a lane with `mayStay`, keeps the lane.
 * Returns the endpoints of the kept lanes.
 */
export async function releaseAndDisable(queries: Queries, order: ReleaseOrder): Promise<Set<string>> {
  await disableDue(queries, await stillClosed(queries, order.closed), order);

  // Lock the lanes before reading the queue. `touchLanes` explains why.
  const locked = await lockLanes(queries, order.done);
  const isLocked = ({ endpointId }: ClaimedLane) => locked.has(endpointId);
  const touched = order.done.filter((lane) => !isLocked(lane));
  const leaving = touched.filter(({ mayStay }) => !mayStay);
  await releaseLanes(queries, order.done.filter(isLocked), order.now);
  await passOnLanes(queries, leaving, order.now);
  return new Set(touched.flatMap(({ endpointId, mayStay }) => (mayStay ? [endpointId] : [])));
}

/**
 * Returns the lanes whose session has not ended, and whose endpoint is still inactive or deleted. Until the transaction
 * ends, neither these sessions nor these endpoints can change.
 */
async function stillClosed(queries: Queries, lanes: readonly ClaimedLane[]): Promise<ClaimedLane[]> {
  if (lanes.length === 0) return [];
  const endpointIds = lanes.map(({ endpointId }) => endpointId);
  const [sessions, active] = await together([
    keepSessions(queries, [...new Set(lanes.map(({ session }) => session))]),
    findActive(queries, endpointIds),
  ]);
  return lanes.filter(({ endpointId, session }) => sessions.has(session) && !active.has(endpointId));
}

async function disableDue(
  queries: Queries,
  lanes: readonly ClaimedLane[],
  { now, isSkipped }: Pick<ReleaseOrder, 'now' | 'isSkipped'>,
): Promise<void> {
  // Each lane has two parts: first attempts and retries.
  const limit = Math.max(1, Math.floor(DISABLED_BATCH / (2 * lanes.length)));
  const parts = lanes.flatMap(({ endpointId }) => [0, 1].map((retry) => ({ endpointId, retry, limit })));
  const due = await findDuePlaces(queries, parts, now);
  await disableDeliveries(
    queries,
    due.filter(({ deliveryId }) => !isSkipped(deliveryId)),
  );
}
