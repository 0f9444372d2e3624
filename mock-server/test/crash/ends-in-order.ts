import { sql } from 'kysely';
import { isPostgres, keyOfListId } from '../../src/storage/dialect.ts';
import type { Queries } from '../../src/storage/port.ts';

/** The PostgreSQL settings that {@link endsInOrder} needs. */
export const IN_ORDER = { track_commit_timestamp: 'on' };

/** A delivery that ended with an attempt. */
export interface End {
  id: string;
  endpointId: string;
  status: 'success' | 'failed';
  /** When the delivery was accepted, on the clock of {@link writtenAt}. */
  acceptedAt: number;
}

/**
 * When a row was written: on PostgreSQL, the real time of its commit, and on SQLite, its virtual time. On PostgreSQL,
 * virtual time is not enough: until a node learns that the clock was moved, it uses a time in the past.
 */
export function writtenAt(queries: Queries, row: 'event' | 'notification') {
  if (!isPostgres(queries)) return sql<number>`${sql.ref(`${row}.created_at`)}`;
  return sql<number>`extract(epoch from pg_xact_commit_timestamp(${sql.ref(`${row}.xmin`)}))::float8 * 1000`;
}

/**
 * Reads the deliveries that ended as `success` or `failed`. The ends of each endpoint are in the order in which they
 * were counted. On PostgreSQL, this is the order of commits, whose times PostgreSQL must record ({@link IN_ORDER}): a
 * node that writes ends of an endpoint keeps the endpoint's lane locked until the commit. Within one transaction, and
 * on SQLite, which only one node uses, this is the order of the attempts' ids: an attempt gets the next higher id when
 * it ends.
 */
export async function endsInOrder(queries: Queries): Promise<End[]> {
  const order = isPostgres(queries) ? sql`pg_xact_commit_timestamp(attempt.xmin), attempt.id` : sql`attempt.id`;
  const { rows } = await sql<End>`
    select delivery.id, delivery.endpoint_id as "endpointId", ended.status,
      ${writtenAt(queries, 'event')} as "acceptedAt"
    from delivery_ends as ended join deliveries as delivery on ${keyOfListId(queries, 'ended.delivery_id')} = delivery.id
    join events as event on event.id = delivery.event_id
    join delivery_attempts as attempt
      on attempt.delivery_id = delivery.id and attempt.number = ended.attempt and attempt.late = 0
    where ended.status in ('success', 'failed')
    order by ${order}`.execute(queries);
  return rows;
}
