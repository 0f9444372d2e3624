import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/**
 * Releases lanes as due at `now`, if the given sessions still hold them. The next holder checks what is in them. They go
 * to the end of the line. No turn becomes later than now, so this is safe while events are being stored for these
 * lanes.
 */
export async function passOnLanes(queries: Queries, lanes: readonly ClaimedLane[], now: Instant): Promise<void> {
  if (lanes.length === 0) return;
  await sql`
    update delivery_lanes set
      node = null,
      turn_at = case when turn_at > ${now} then turn_at else ${now} end
    from ${givenRows(queries, lanes)}
    where delivery_lanes.endpoint_id = given.value ->> 'endpointId'
      and delivery_lanes.node = given.value ->> 'session'`.execute(queries);
}
