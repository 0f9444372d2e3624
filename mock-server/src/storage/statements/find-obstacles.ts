import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/** A lane that results are to be written for. */
export interface LaneOfResults extends ClaimedLane {
  /** Whether deliveries of it ended, rather than wait for their next attempt. */
  ends: boolean;
}

/**
 * Locks lanes as `lockLanes` does, and gives a row where results that succeeded or are to be tried again cannot be
 * written as they are: a lane is held under another token, or failures are counted of an endpoint to which a delivery
 * ended. Two statements: the second sees what whoever had the lanes before has committed meanwhile.
 */
export async function findObstacles(queries: Queries, lanes: readonly LaneOfResults[]): Promise<unknown[]> {
  const tokens = lanes.map(({ endpointId, leaseToken }) => [endpointId, leaseToken]);
  const endpoints = lanes.flatMap(({ endpointId, ends }) => (ends ? [[endpointId]] : []));
  const found = await together([
    runForRows(queries, { endpoint_id: 'text', token: 'bigint' }, tokens, {
      sqlite: `
        select 1 from (select ? as endpoint_id, ? as token) as given
        where not exists (
          select 1 from delivery_lanes as lane
          where lane.endpoint_id = given.endpoint_id and lane.lease_token = given.token)`,
      // Locked in one order, as everywhere.
      postgres: (given) => `
        with locked as materialized (
          select lane.lease_token = given.token as is_held
          from ${given} join delivery_lanes as lane on lane.endpoint_id = given.endpoint_id
          order by lane.endpoint_id for no key update of lane
        )
        select 1 from locked having count(*) filter (where is_held) < cardinality($1)`,
    }),
    runForRows(queries, { id: 'text' }, endpoints, {
      sqlite: 'select 1 from webhook_endpoints where id = ? and consecutive_failures > 0',
      postgres: (given) => `
        select 1 from ${given} join webhook_endpoints as endpoint on endpoint.id = given.id
        where consecutive_failures > 0`,
    }),
  ]);
  return found.flat();
}
