import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import { type ColumnsOf, runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';

/**
 * Prepares lanes for first attempts that the caller is about to queue. Moves each lane's turn ahead of lanes that have
 * only retries, unless the lane's turn is already earlier.
 *
 * Every transaction changes or locks a lane before it uses the queue, including the transaction that releases the lane.
 * So no delivery can be missed between the moment when the lane's holder last reads the queue and the release. On
 * PostgreSQL, where transactions run in parallel, row locks on the lane ensure this:
 *
 * - A transaction that stores a delivery keeps a key-share lock until it ends, so that the lane's turn stays early
 *   enough. This lock blocks only a release that would make the turn later. The lock does not block other events, or
 *   claims, which update the row (`for no key update`).
 * - A release makes the turn later only under the exclusive lock of `lockLanes`. So all deliveries that were stored
 *   earlier are committed, and the release sees these deliveries in the queue. A transaction that stores a later
 *   delivery waits for the release to end, and then finds the new turn.
 * - If the lane has no turn or a later turn, the row is updated. The update blocks claims, but only until the end of
 *   the first such transaction. For all later transactions, the turn is already early enough.
 */
export async function touchLanes(queries: Queries, dueAtByEndpoint: ReadonlyMap<string, Instant>): Promise<void> {
  const columns: ColumnsOf<[endpointId: string, dueAt: Instant]> = {
    endpoint_id: ['text', ([endpointId]) => endpointId],
    due_at: ['bigint', ([, dueAt]) => dueAt],
  };
  await runForRows(queries, columns, [...dueAtByEndpoint], {
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
 * How far a lane with a first attempt is placed ahead of lanes that only have retries with the same due time. Retries
 * can wait, but not forever.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

/** Keeps the earlier of the stored turn and the inserted turn. A lane without a turn gets the inserted turn. */
const BRING_FORWARD = `on conflict (endpoint_id) do update set turn_at =
  case when delivery_lanes.turn_at <= excluded.turn_at then delivery_lanes.turn_at else excluded.turn_at end`;

/** The SQL for the due time of a lane's earliest first attempt (0) or earliest retry (1), from the queue's index. */
export const firstDue = (endpointId: RawBuilder<unknown>, retry: 0 | 1): RawBuilder<Instant | null> =>
  sql`(select min(due_at) from delivery_queue where endpoint_id = ${endpointId} and retry = ${sql.lit(retry)})`;

/** The times of the next turns. A time is undefined if no lane of that kind has deliveries. */
export interface LaneTurns {
  /** The earliest turn of all free lanes. */
  free: Instant | undefined;
  /** The earliest turn of all held lanes. This turn is not later than the earliest due delivery in these lanes. */
  held: Instant | undefined;
}

/**
 * Finds the times of the next turns. Free lanes cost one lookup. For held lanes, all rows are read, because there are
 * only a few held lanes.
 */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where node is null) as free,
      (select min(turn_at) from delivery_lanes where node is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}

/** Finds the lane of an endpoint. The lane exists once the endpoint has had a delivery. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
