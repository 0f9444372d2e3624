import { type RawBuilder, sql } from 'kysely';
import { earliest, type Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';
import { findHeads, firstDue } from './lane-turns.ts';

/** Free lanes and held lanes have separate indexes, so a statement needs a separate part for each kind. */
const FREE = sql`null`;
const HELD = sql`not null`;

/** Above every delivery id. */
const ANY_ID = '~';

/**
 * Counts the deliveries that are due before `at`, or at `at` with an id up to `upToId`. Includes deliveries in flight.
 * Stops at `limit`: an exact count would take too long.
 */
export async function countDueDeliveries(
  queries: Queries,
  { at, upToId = ANY_ID, limit }: { at: Instant; upToId?: string; limit: number },
): Promise<number> {
  // On SQLite, `cross join` makes sure that the lanes are read first.
  const dueIn = (node: RawBuilder<unknown>) => sql`
    select queue.delivery_id from delivery_lanes as lane cross join delivery_queue as queue
    where lane.node is ${node} and lane.turn_at <= ${at} and queue.endpoint_id = lane.endpoint_id
      and queue.retry in (0, 1) and (queue.due_at, queue.delivery_id) <= (${at}, ${upToId})`;
  const { rows } = await sql<{ due: number }>`
    select count(*) as due from (
      select * from (${dueIn(FREE)} limit ${limit}) as free
      union all
      select * from (${dueIn(HELD)} limit ${limit}) as held
    ) as found`.execute(queries);
  return Math.min(Number(rows[0]?.due ?? 0), limit);
}

/** Only the lanes with the earliest turns are read: at most this many free lanes, and at most this many held lanes. */
const LANES_MAX = 500;

/** Finds the earliest due time, in the future or the past, of all pending deliveries, including those in flight. */
export async function findEarliestDueAt(queries: Queries): Promise<Instant | undefined> {
  const lanes = (node: RawBuilder<unknown>) => sql`
    select endpoint_id from delivery_lanes
    where node is ${node} and turn_at is not null order by turn_at limit ${LANES_MAX}`;
  // The turn of a lane does not show when the lane's earliest delivery is due, so read the lane's queue.
  const head = (retry: 0 | 1) => sql`
    select ${firstDue(sql`lane.endpoint_id`, retry)} as at
    from (select * from (${lanes(FREE)}) as free union all select * from (${lanes(HELD)}) as held) as lane`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (${head(0)} union all ${head(1)}) as heads`.execute(queries);
  return rows[0]?.at ?? undefined;
}

/** Finds when each endpoint's next attempt is due. `undefined` for an endpoint with an empty lane. */
export async function findNextDue(queries: Queries, endpointIds: readonly string[]) {
  const heads = await findHeads(queries, endpointIds);
  return new Map([...heads].map(([id, { first, retry }]) => [id, earliest(first, retry)]));
}

/**
 * Finds when a delivery is next due after `at`. The result can be up to 60 s too early: for a free lane whose turn is
 * after `at`, this function uses the turn and does not read the queue. Each of the remaining lanes costs two lookups.
 */
export async function findNextDueAfter(queries: Queries, at: Instant): Promise<Instant | undefined> {
  const laterIn = (isHeld: boolean, retry: 0 | 1) => sql`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} and due_at > ${at})) as at
    from delivery_lanes as lane
    where ${isHeld ? sql`node is not null` : sql`node is null and turn_at <= ${at}`}`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (
      select min(turn_at) as at from delivery_lanes where node is null and turn_at > ${at}
      union all ${laterIn(false, 0)} union all ${laterIn(false, 1)}
      union all ${laterIn(true, 0)} union all ${laterIn(true, 1)}
    ) as next`.execute(queries);
  return rows[0]?.at ?? undefined;
}

/**
 * Finds when the next retry after `now` is due, for deliveries with ids up to `upToId`. The query also reads and skips
 * the retries of deliveries with higher ids, which is slow if there are many such retries. So a move of the clock uses
 * this function only while new work keeps arriving (`PATIENCE_MS` in `time/timeline.ts`).
 */
export async function findNextRetryAfter(queries: Queries, { now, upToId }: { now: Instant; upToId: string }) {
  const { rows } = await sql<{ at: Instant | null }>`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = 1 and due_at > ${now} and delivery_id <= ${upToId})) as at
    from delivery_lanes as lane`.execute(queries);
  return rows[0]?.at ?? undefined;
}
