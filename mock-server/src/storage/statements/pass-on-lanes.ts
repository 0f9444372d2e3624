import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/**
 * Gives lanes back, as long as they are held under the given tokens, as such that have work due at `now`: whoever claims
 * one next looks what there is. They go to the end of the line. This puts off no turn beyond now, so it may be done while
 * events are stored for them.
 */
export async function passOnLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  await sql`
    update delivery_lanes set
      lease_until = null,
      turn_at = case when turn_at > ${now} then turn_at else ${now} end
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.lease_token = cast(given.value ->> 'leaseToken' as bigint)`.execute(queries);
}
