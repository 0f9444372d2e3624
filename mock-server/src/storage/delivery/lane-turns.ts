import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { type ColumnsOf, isKey, runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * Prepares lanes for deliveries that the caller is about to put into the queue. Sets the turn of each lane to
 * `FIRST_ATTEMPTS_AHEAD_MS` before the due time of the first attempt, unless the lane's turn is already earlier.
 *
 * A holder reads the queue for the last time and then releases the lane. A delivery that is stored between these two
 * steps must not be missed. Therefore every transaction that adds a delivery to the queue, or that releases the lane,
 * first changes or locks the lane, and only then uses the queue. On PostgreSQL, transactions run in parallel, and row
 * locks on the lane have these effects:
 *
 * - If the lane's turn is early enough, a transaction that stores a delivery holds a key-share lock, so the turn stays
 *   early enough until the transaction ends. This lock blocks only a release that would make the turn later. The lock
 *   blocks neither transactions that store other events nor claims, which update the row (`for no key update`).
 * - `releaseLanes` needs the exclusive lock of `lockLanes` to make the turn later. When the release gets this lock, all
 *   earlier transactions that stored deliveries have ended, so the release sees these deliveries in the queue. A
 *   transaction that then stores another delivery waits until the release has ended, and then finds the new turn.
 * - If the lane has no turn or a later turn, the transaction that stores a delivery updates the row. The update blocks
 *   claims until this transaction ends. For all later deliveries, the turn is already early enough.
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
        select lane.endpoint_id from delivery_lanes as lane join due on ${isKey('lane.endpoint_id', 'due.endpoint_id')}
        where lane.turn_at <= due.due_at - ${FIRST_ATTEMPTS_AHEAD_MS} for key share of lane
      )
      insert into delivery_lanes (endpoint_id, turn_at)
      select endpoint_id, due_at - ${FIRST_ATTEMPTS_AHEAD_MS}
      from due where endpoint_id not in (select endpoint_id from kept) ${BRING_FORWARD}`,
  });
}

/**
 * If a lane's next delivery waits for its first attempt, the turn is this long before the due time. So first attempts
 * go before retries. A retry that has waited for longer than this goes before new first attempts, so no retry waits
 * forever.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

/** Keeps the earlier of the stored turn and the inserted turn. */
const BRING_FORWARD = `on conflict (endpoint_id) do update set turn_at =
  case when delivery_lanes.turn_at <= excluded.turn_at then delivery_lanes.turn_at else excluded.turn_at end`;

/** Returns the SQL that finds when a lane's earliest first attempt (`retry` 0) or earliest retry (1) is due. */
export const firstDue = (endpointId: RawBuilder<unknown>, retry: 0 | 1): RawBuilder<Instant | null> =>
  sql`(select min(due_at) from delivery_queue where endpoint_id = ${endpointId} and retry = ${sql.lit(retry)})`;

/** The earliest turn of the free lanes, and of the held lanes. Undefined if no such lane has a turn. */
export interface LaneTurns {
  free: Instant | undefined;
  /** No delivery in the held lanes is due before this turn. */
  held: Instant | undefined;
}

/** Finds the earliest turns. Reads the rows of all held lanes: at most `LANES_PER_SLOT` for each slot of every node. */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where node is null) as free,
      (select min(turn_at) from delivery_lanes where node is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}

/** Returns undefined if the endpoint has never had a pending delivery. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
