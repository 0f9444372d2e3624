import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A lane and the session that holds it. */
export interface ClaimedLane {
  endpointId: string;
  session: string;
}

/** What to claim. */
export interface LaneClaim {
  now: Instant;
  session: string;
  /** The most lanes to claim. */
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
