import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows, leasing, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A lane that the caller holds from now on. */
export interface ClaimedLane {
  endpointId: string;
  /** Fencing token of this claim. */
  leaseToken: number;
}

/** What to claim. */
export interface LaneClaim {
  now: Instant;
  leaseMs: number;
  /** Lanes to claim at most. */
  limit: number;
  /**
   * Endpoints whose lanes are not taken: those that the caller holds, should their leases have been swept unnoticed. What
   * is in flight there counts under its old token, and is not attempted beside itself.
   */
  except: readonly string[];
  /** The caller's name among the nodes on the database; null where it has none. */
  holder?: string | null;
}

/**
 * Claims lanes with work due that nobody holds, in the order of their turns. The partial index holds only such lanes,
 * and one row for each endpoint, so the cost does not grow with the deliveries that wait.
 */
export async function claimLanes(queries: Queries, claim: LaneClaim): Promise<ClaimedLane[]> {
  const except = givenRows(
    queries,
    claim.except.map((endpointId) => ({ endpointId })),
  );
  // Materialized: the planner must not run the limited choice again for each row.
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
