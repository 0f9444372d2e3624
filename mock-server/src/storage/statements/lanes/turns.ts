import { sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import { runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';

/**
 * Prepares lanes for first attempts that the caller is about to queue. It moves the turn of each lane ahead of lanes
 * that have only retries, unless it is earlier already.
 *
 * Each transaction touches a lane before the queue, including the transaction that releases the lane. So no delivery
 * can be missed between the holder's last look at the queue and the release. On PostgreSQL, where transactions run in
 * parallel, row locks of the lane ensure this:
 *
 * - A transaction that stores a delivery keeps a key-share lock until it ends, so that the lane's turn stays early
 *   enough. The lock blocks only a release that would make the turn later. It does not block other events or claims,
 *   which update the row (`for no key update`).
 * - A release makes the turn later only under the exclusive lock of `lockLanes`. So everything stored earlier is
 *   committed, and the release sees it in the queue. Anything later waits for the release to end and finds the new
 *   turn.
 * - If the lane has no turn or a later one, the row is updated. This blocks claims, but only until the end of the first
 *   such transaction. Later transactions find the turn in place.
 */
export async function touchLanes(queries: Queries, dueAtByEndpoint: ReadonlyMap<string, Instant>): Promise<void> {
  await runForRows(queries, { endpoint_id: 'text', due_at: 'bigint' }, [...dueAtByEndpoint], {
    sqlite: `
      insert into delivery_lanes (endpoint_id, turn_at)
      select endpoint_id, due_at - ${FIRST_ATTEMPTS_AHEAD_MS}
      from (select ? as endpoint_id, ? as due_at) where true ${BRING_FORWARD}`,
    postgres: (given) => `
      with due as materialized (select * from ${given}),
      kept as materialized (
        select lane.endpoint_id from delivery_lanes as lane join due on due.endpoint_id = lane.endpoint_id
        where lane.turn_at <= due.due_at - ${FIRST_ATTEMPTS_AHEAD_MS} for key share of lane
      )
      insert into delivery_lanes (endpoint_id, turn_at)
      select endpoint_id, due_at - ${FIRST_ATTEMPTS_AHEAD_MS}
      from due where endpoint_id not in (select endpoint_id from kept) ${BRING_FORWARD}`,
  });
}

/**
 * How far ahead of retries with the same due time a lane with a first attempt is placed. Retries can wait, but not
 * forever.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

/** Keeps the earlier turn. A lane without a turn gets the inserted turn. */
const BRING_FORWARD = `on conflict (endpoint_id) do update set turn_at =
  case when delivery_lanes.turn_at <= excluded.turn_at then delivery_lanes.turn_at else excluded.turn_at end`;

/** When the next turns come. Undefined if there is no such lane with work. */
export interface LaneTurns {
  /** The next turn of the free lanes. */
  free: Instant | undefined;
  /** The next turn of the held lanes. That turn is not later than their earliest due delivery. */
  held: Instant | undefined;
}

/** Finds when the next turns come. One lookup for free lanes; held lanes are few. */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where node is null) as free,
      (select min(turn_at) from delivery_lanes where node is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}

/** The lane of an endpoint. It exists once the endpoint has had work. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
