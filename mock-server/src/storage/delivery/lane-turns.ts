import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { type ColumnsOf, isKey, runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * Prepares lanes for deliveries that the caller is about to put into the queue. Sets the turn of each lane to
 * `FIRST_ATTEMPTS_AHEAD_MS` before the given due time. Keeps a turn that is already earlier.
 *
 * The node that holds a lane reads the queue for the last time, and then releases the lane. Without locks, a delivery
 * that another transaction stores between these two steps could be overlooked. Therefore, every transaction that stores
 * a delivery or releases a lane begins with the lane's row: it locks or changes the row, and only then uses the queue.
 * On PostgreSQL, transactions run in parallel, and the locks on the lane's row have these effects:
 *
 * - The transaction that stores a delivery takes a key-share lock on the lane's row if it need not make the lane's turn
 *   earlier. Until this transaction ends, `releaseLanes` cannot make the turn later. The key-share lock does not block
 *   other transactions that store deliveries. The lock also does not block claims, because a claim locks the row only
 *   with `for no key update`.
 * - Before `releaseLanes` makes a turn later, its caller takes the exclusive lock of `lockLanes`. The caller gets this
 *   lock only after all earlier transactions that stored deliveries in the lane have ended. So the release sees these
 *   deliveries in the queue. A later transaction that stores a delivery waits until the release has ended, and then
 *   sees the new turn.
 * - If the lane has no turn, or its turn is too late, the transaction that stores a delivery updates the row. Until
 *   this transaction ends, claims skip the lane. After the update, the turn is early enough for all later deliveries.
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
 * The turn of a lane is a minute earlier if the lane's next delivery waits for its first attempt. So first attempts go
 * before retries. A retry that has waited for more than a minute goes before new first attempts, so every retry gets
 * its turn.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

/** Keeps the earlier of the stored turn and the inserted turn. */
const BRING_FORWARD = `on conflict (endpoint_id) do update set turn_at =
  case when delivery_lanes.turn_at <= excluded.turn_at then delivery_lanes.turn_at else excluded.turn_at end`;

/** Returns the SQL for the earliest due time of a lane's first attempts (`retry` 0) or retries (`retry` 1). */
export const firstDue = (endpointId: RawBuilder<unknown>, retry: 0 | 1): RawBuilder<Instant | null> =>
  sql`(select min(due_at) from delivery_queue where endpoint_id = ${endpointId} and retry = ${sql.lit(retry)})`;

/**
 * The earliest turn of all free lanes, and the earliest turn of all held lanes. A field is undefined if none of its
 * lanes has a turn.
 */
export interface LaneTurns {
  free: Instant | undefined;
  /** While this turn has not come, no delivery in the held lanes is due. */
  held: Instant | undefined;
}

/**
 * Finds the earliest turns. The query reads the rows of all held lanes. Each node holds at most `LANES_PER_SLOT` lanes
 * for each of its slots.
 */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where node is null) as free,
      (select min(turn_at) from delivery_lanes where node is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}

/** Returns undefined if the endpoint has never had a pending delivery, or if the endpoint and its lane were deleted. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
