import { type RawBuilder, sql } from 'kysely';
import { earliest, type Instant } from '../../domain/instant.ts';
import { givenRows, lockingFreeRows, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { FIRST_ATTEMPTS_AHEAD_MS, findHeads } from './lane-turns.ts';

export interface ClaimedLane {
  endpointId: string;
  session: string;
}

/**
 * Claims free lanes whose turns have come, earliest first, and returns their endpoints' ids. Claims nothing if the
 * session has ended. The index `delivery_lanes_free` has one row for each free lane, so the cost does not grow with the
 * number of waiting deliveries.
 */
export async function claimLanes(
  queries: Queries,
  { now, session, limit }: { now: Instant; session: string; limit: number },
): Promise<string[]> {
  // Without `materialized`, the planner might run `chosen` again for each row.
  const { rows } = await sql<{ endpointId: string }>`
    with chosen as materialized (
      select endpoint_id from delivery_lanes
      where node is null and turn_at <= ${now} and exists (select 1 from delivery_nodes where id = ${session})
      order by turn_at limit ${limit} ${skippingLockedRows(queries)}
    )
    update delivery_lanes set node = ${session}
    where endpoint_id in (select endpoint_id from chosen)
    returning endpoint_id as "endpointId"`.execute(queries);
  return rows.map(({ endpointId }) => endpointId);
}

/**
 * Locks the lanes that the given sessions still hold. The locks last until the transaction ends. Skips lanes that are
 * locked already: each transaction that stores an event locks lanes, so waiting for a lane could take forever.
 */
export async function lockLanes(queries: Queries, lanes: readonly ClaimedLane[]): Promise<Set<string>> {
  if (lanes.length === 0) return new Set();
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where (endpoint_id, node) in (
      select given.value ->> 'endpointId', given.value ->> 'session' from ${givenRows(queries, lanes)})
    ${lockingFreeRows(queries)}`.execute(queries);
  return new Set(rows.map((row) => row.endpoint_id));
}

/**
 * Releases the lanes that the given sessions still hold, and sets their next turns. If a first attempt is due in a
 * lane, the lane moves behind all other lanes in which a first attempt is due. If only retries are due, the lane moves
 * behind all lanes with due deliveries. The caller must have locked the lanes with `lockLanes`, so that no delivery is
 * stored between the read of the queue and the release.
 */
export async function releaseLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  const heads = await findHeads(
    queries,
    lanes.map(({ endpointId }) => endpointId),
  );
  const released = lanes.map((lane) => {
    const { first = null, retry } = heads.get(lane.endpointId) ?? {};
    if (first !== null && first <= now) return { ...lane, turnAt: now - FIRST_ATTEMPTS_AHEAD_MS };
    const dueAt = earliest(first, retry);
    return { ...lane, turnAt: dueAt === undefined ? null : Math.max(dueAt, now) };
  });
  await free(queries, released, sql`cast(given.value ->> 'turnAt' as bigint)`);
}

/**
 * Releases lanes without reading the queue. If a lane's turn has come or is missing, the turn becomes `now`, so that
 * lanes that are already waiting are claimed first. No turn is set to a time after `now`. So if another transaction
 * stores a delivery at the same time, the turn is not too late for that delivery.
 */
export async function passOnLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  await free(queries, lanes, sql`case when turn_at > ${now} then turn_at else ${now} end`);
}

async function free(queries: Queries, lanes: readonly ClaimedLane[], turnAt: RawBuilder<unknown>): Promise<void> {
  await sql`
    update delivery_lanes set node = null, turn_at = ${turnAt}
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.node = given.value ->> 'session'`.execute(queries);
}
