import { sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import { givenRows, lockingFreeRows, skippingLockedRows } from '../../dialect.ts';
import type { Queries } from '../../port.ts';
import { FIRST_ATTEMPTS_AHEAD_MS } from './turns.ts';

/** A lane and the session that holds it. */
export interface ClaimedLane {
  endpointId: string;
  session: string;
}

/** What to claim. */
export interface LaneClaim {
  now: Instant;
  session: string;
  /** The maximum number of lanes to claim. */
  limit: number;
}

/**
 * Claims free lanes with due work for a session, in the order of their turns. Claims none if the session has ended. The
 * partial index contains only free lanes, one row for each endpoint, so the cost does not grow with the number of
 * waiting deliveries.
 *
 * @returns their endpoints.
 */
export async function claimLanes(queries: Queries, { now, session, limit }: LaneClaim): Promise<string[]> {
  // Materialized, so that the planner does not run the limited choice again for each row.
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
 * Locks lanes exclusively until the transaction ends, if the given sessions still hold them. Returns which lanes it
 * locked. It skips lanes that others have locked at this moment, such as a transaction that stores an event. If events
 * arrive without a pause, waiting for a free moment could take forever.
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
 * Releases lanes if the given sessions still hold them, and sets when their next delivery is due. A lane with work left
 * goes to the end of the line. A lane with a first attempt goes to the end of such lanes. The caller has locked the
 * lanes with `lockLanes`, so no delivery can arrive between the look at the queue and the release.
 */
export async function releaseLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  // Two lookups in the queue's index for each lane: the earliest first attempt, and the earliest retry.
  const { rows: heads } = await sql<{ endpointId: string; first: Instant | null; retry: Instant | null }>`
    select given.value ->> 'endpointId' as "endpointId",
      (select min(due_at) from delivery_queue
        where endpoint_id = given.value ->> 'endpointId' and retry = 0) as "first",
      (select min(due_at) from delivery_queue
        where endpoint_id = given.value ->> 'endpointId' and retry = 1) as "retry"
    from ${givenRows(queries, lanes)}`.execute(queries);
  const headsOf = new Map(heads.map((head) => [head.endpointId, head]));
  const released = lanes.map((lane) => {
    const { first = null, retry = null } = headsOf.get(lane.endpointId) ?? {};
    if (first !== null && first <= now) return { ...lane, turnAt: now - FIRST_ATTEMPTS_AHEAD_MS };
    const headDueAt = earlier(first, retry);
    return { ...lane, turnAt: headDueAt === null ? null : Math.max(headDueAt, now) };
  });
  await sql`
    update delivery_lanes set
      node = null,
      turn_at = cast(given.value ->> 'turnAt' as bigint)
    from ${givenRows(queries, released)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.node = given.value ->> 'session'`.execute(queries);
}

function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/**
 * Releases lanes as due at `now`, if the given sessions still hold them. The next holder checks what is in them. The
 * lanes go to the end of the line. No turn becomes later than now, so this is safe while events are being stored for
 * these lanes.
 */
export async function passOnLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  await sql`
    update delivery_lanes set
      node = null,
      turn_at = case when turn_at > ${now} then turn_at else ${now} end
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.node = given.value ->> 'session'`.execute(queries);
}
