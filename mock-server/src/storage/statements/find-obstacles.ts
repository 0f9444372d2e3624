import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/** A lane that results are to be written for. */
export interface LaneOfResults extends ClaimedLane {
  /** Whether deliveries of it ended, rather than wait for their next attempt. */
  ends: boolean;
}

/**
 * Locks lanes as `lockLanes` does, and gives a row where results that succeeded or are to be tried again cannot be
 * written as they are: a lane is held under another token, or failures are counted of an endpoint to which a delivery
 * ended.
 */
export async function findObstacles(queries: Queries, lanes: readonly LaneOfResults[]): Promise<unknown[]> {
  const rows = lanes.map(({ endpointId, leaseToken, ends }) => [endpointId, leaseToken, ends ? 1 : 0]);
  return runForRows(queries, { endpoint_id: 'text', token: 'bigint', ends: 'integer' }, rows, {
    sqlite: `
      select 1 from (select ? as endpoint_id, ? as token, ? as ends) as given
      where not exists (
          select 1 from delivery_lanes as lane where lane.endpoint_id = given.endpoint_id and lane.lease_token = given.token)
        or ends = 1 and exists (
          select 1 from webhook_endpoints where id = given.endpoint_id and consecutive_failures > 0)`,
    // Each lane is locked before the first is judged; in one order, as everywhere.
    postgres: (given) => `
      with locked as materialized (
        select lane.endpoint_id, lane.lease_token = given.token as is_held, given.ends
        from ${given} join delivery_lanes as lane on lane.endpoint_id = given.endpoint_id
        order by lane.endpoint_id for no key update of lane
      )
      select 1 from locked
      having count(*) filter (where is_held and not (ends = 1 and exists (
        select from webhook_endpoints where id = endpoint_id and consecutive_failures > 0))) < cardinality($1)`,
  });
}
