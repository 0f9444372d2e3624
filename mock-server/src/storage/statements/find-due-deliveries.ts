import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows, isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A place in the queue. */
export interface DueDelivery {
  endpointId: string;
  deliveryId: string;
  /** 0 for the first attempt, 1 for the others. */
  retry: number;
}

/**
 * Finds what is due in each of the lanes: at most `limit` first attempts and as many retries, the earliest first. Each
 * is a seek in the queue's index, so the cost does not grow with what waits behind.
 */
export async function findDueDeliveries(
  queries: Queries,
  lanes: readonly { endpointId: string }[],
  bounds: { now: Instant; limit: number },
): Promise<DueDelivery[]> {
  if (lanes.length === 0) return [];
  const given = givenRows(
    queries,
    lanes.map(({ endpointId }) => ({ endpointId })),
  );
  const headOf = (retry: 0 | 1) => sql`
    select delivery_id, due_at from delivery_queue
    where endpoint_id = given.value ->> 'endpointId' and retry = ${sql.lit(retry)} and due_at <= ${bounds.now}
    order by due_at, delivery_id limit ${bounds.limit}`;
  const { rows } = await sql<DueDelivery>`
    ${perLane(queries, given, headOf(0), 0)} union all ${perLane(queries, given, headOf(1), 1)}
    order by 1, 3, 4, 2`.execute(queries);
  return rows;
}

/** PostgreSQL says it with `lateral`; SQLite, which has none, drives a look-up by key with the correlated choice. */
function perLane(queries: Queries, given: RawBuilder<unknown>, head: RawBuilder<unknown>, retry: 0 | 1) {
  const columns = sql`given.value ->> 'endpointId' as "endpointId"`;
  return isPostgres(queries)
    ? sql`select ${columns}, head.delivery_id as "deliveryId", ${sql.lit(retry)} as "retry", head.due_at as "dueAt"
        from ${given} cross join lateral (${head}) as head`
    : sql`select ${columns}, queue.delivery_id as "deliveryId", ${sql.lit(retry)} as "retry", queue.due_at as "dueAt"
        from ${given} cross join delivery_queue as queue
        where queue.delivery_id in (select delivery_id from (${head}))`;
}
