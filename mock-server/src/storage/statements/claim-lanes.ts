import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows, leasing, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A lane that the caller now holds. */
export interface ClaimedLane {
  endpointId: string;
  /** Fencing token of this claim. */
  leaseToken: number;
}

/** What to claim. */
export interface LaneClaim {
  now: Instant;
  leaseMs: number;
  /** The most lanes to claim. */
  limit: number;
  /**
   * Endpoints whose lanes to skip: those that the caller holds, in case a sweep ended their leases unnoticed. Their
   * attempts in flight have the old token, and the same attempt must not run twice at the same time.
   */
  except: readonly string[];
  /** The caller's name among the nodes. Null if it has none. */
  holder?: string | null;
}

/**
 * Claims free lanes with due work, in the order of their turns. The partial index contains only free lanes, one row for
 * each endpoint, so the cost does not grow with the number of waiting deliveries.
 */
export async function claimLanes(queries: Queries, claim: LaneClaim): Promise<ClaimedLane[]> {
  const except = givenRows(
    queries,
    claim.except.map((endpointId) => ({ endpointId })),
  );
  // Materialized, so that the planner does not run the limited choice again for each row.
  const { rows } = await sql<ClaimedLane>`
    with chosen as materialized (
      select endpoint_id from delivery_lanes
      where lease_until is null and turn_at <= ${claim.now}
        and endpoint_id not in (select given.value ->> 'endpointId' from ${except})
      order by turn_at limit ${claim.limit} ${skippingLockedRows(queries)}
    )
    update delivery_lanes
    set ${leasing(queries, claim.leaseMs)}, holder = ${claim.holder ?? null}
    where endpoint_id in (select endpoint_id from chosen)
    returning endpoint_id as "endpointId", lease_token as "leaseToken"`.execute(queries);
  return rows;
}
