import { sql } from 'kysely';
import { isPostgres } from '../../src/storage/dialect.ts';
import type { Queries } from '../../src/storage/port.ts';

/** What a PostgreSQL must be set to for {@link endsInOrder}. */
export const IN_ORDER = { track_commit_timestamp: 'on' };

/** A delivery that its attempts ended. */
export interface End {
  id: string;
  endpointId: string;
  status: 'success' | 'failed';
  createdAt: number;
}

/**
 * Reads the deliveries that ended `success` or `failed`, those of each endpoint in the order in which their ends were
 * counted. On PostgreSQL that is the order of commits, which the server must keep ({@link IN_ORDER}): who writes ends of
 * an endpoint has its lane locked until the commit. Within one transaction, and on SQLite, where one node has the
 * database, it is the order of the attempts' ids, which rise and are made as attempts end.
 */
export async function endsInOrder(queries: Queries): Promise<End[]> {
  const order = isPostgres(queries) ? sql`pg_xact_commit_timestamp(attempt.xmin), attempt.id` : sql`attempt.id`;
  const { rows } = await sql<End>`
    select delivery.id, endpoint_id as "endpointId", status, created_at as "createdAt"
    from deliveries as delivery join delivery_attempts as attempt
      on attempt.delivery_id = delivery.id and attempt.number = delivery.attempt and attempt.late = 0
    where status in ('success', 'failed')
    order by ${order}`.execute(queries);
  return rows;
}
