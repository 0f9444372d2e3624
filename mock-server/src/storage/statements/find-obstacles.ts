import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/** A lane with results to write back. */
export interface LaneOfResults extends ClaimedLane {
  /** Whether some of its deliveries ended, instead of waiting for a retry. */
  ends: boolean;
}

/**
 * Locks lanes as `lockLanes` does. Returns a row if results without final failures cannot be written directly: another
 * token holds a lane, or a delivery ended and its endpoint has a count of failures. These are two statements, so that
 * the second one sees what earlier holders of the locks have committed.
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
      // All transactions lock lanes in the same order.
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
