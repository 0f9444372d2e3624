import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { givenRows } from '../dialect.ts';
import { type ColumnsOf, isKey, runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * Prepares lanes for deliveries that the caller is about to put into the queue: a turn that is missing or too late
 * becomes `FIRST_ATTEMPTS_AHEAD_MS` before the due time.
 *
 * A node that releases a lane reads the lane's queue once more. A delivery that is stored after this read must not be
 * overlooked. So every transaction that stores a delivery or releases a lane locks or changes the lane's row first, and
 * only then uses the queue. On PostgreSQL, where transactions run in parallel, this order has these effects:
 *
 * - If the lane's turn is early enough, the transaction that stores a delivery takes a key-share lock on the row. This
 *   lock does not block claims (`for no key update`) or other transactions that store deliveries.
 * - Before `releaseLanes` moves a turn to a later time, its caller takes the exclusive lock of `lockLanes`. The caller
 *   gets this lock only when earlier transactions that stored deliveries have ended, so the caller sees these
 *   deliveries. Later transactions wait until the release has ended, and then see the new turn.
 * - If the lane's turn is missing or too late, the transaction that stores a delivery updates the row. Claims skip the
 *   lane until this transaction ends.
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
 * If a lane's next delivery waits for its first attempt, the lane's turn comes a minute before the delivery is due. So
 * first attempts go before retries, unless the retries have waited for more than a minute.
 */
export const FIRST_ATTEMPTS_AHEAD_MS = 60_000;

const BRING_FORWARD = `on conflict (endpoint_id) do update set turn_at =
  case when delivery_lanes.turn_at <= excluded.turn_at then delivery_lanes.turn_at else excluded.turn_at end`;

/** The SQL for the earliest due time of a lane's first attempts (`retry` 0) or retries (`retry` 1). */
export const firstDue = (endpointId: RawBuilder<unknown>, retry: 0 | 1): RawBuilder<Instant | null> =>
  sql`(select min(due_at) from delivery_queue where endpoint_id = ${endpointId} and retry = ${sql.lit(retry)})`;

/** For each endpoint, finds when a first attempt is next due, and when a retry is next due. */
export async function findHeads(queries: Queries, endpointIds: readonly string[]) {
  const given = sql`given.value ->> 'id'`;
  const { rows } = await sql<{ id: string; first: Instant | null; retry: Instant | null }>`
    select ${given} as id, ${firstDue(given, 0)} as "first", ${firstDue(given, 1)} as "retry"
    from ${givenRows(
      queries,
      endpointIds.map((id) => ({ id })),
    )}`.execute(queries);
  return new Map(rows.map((head) => [head.id, head]));
}

/** The earliest turn of the free lanes, and the earliest turn of the held lanes. Undefined if no lane has a turn. */
export interface LaneTurns {
  free: Instant | undefined;
  /** No delivery in the held lanes is due before this turn. */
  held: Instant | undefined;
}

/**
 * Reads the turn of the free lanes from an index. With `ofHeld`, also reads the rows of all held lanes, whose number is
 * limited: a node holds at most `LANES_PER_SLOT` lanes per slot. One statement reads both turns. With two statements, a
 * lane that became free between the two statements could be in neither result.
 */
export async function laneTurns(queries: Queries, { ofHeld = false } = {}): Promise<LaneTurns> {
  const held = ofHeld ? sql`(select min(turn_at) from delivery_lanes where node is not null)` : sql`null`;
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select (select min(turn_at) from delivery_lanes where node is null) as free, ${held} as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}

/** Returns undefined if the endpoint was deleted, or never had a pending delivery. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
