import { sql } from 'kysely';
import { givenRows, leaseClock } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/** Extends the leases of these lanes to `leaseMs` from now, if the caller still holds them. */
export async function extendLeases(queries: Queries, lanes: readonly ClaimedLane[], leaseMs: number): Promise<void> {
  if (lanes.length === 0) return;
  await sql`
    update delivery_lanes set lease_until = ${leaseClock(queries)} + ${leaseMs}
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.lease_token = cast(given.value ->> 'leaseToken' as bigint)`.execute(queries);
}
