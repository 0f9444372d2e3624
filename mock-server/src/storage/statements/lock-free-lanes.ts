import { sql } from 'kysely';
import { givenRows, lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/**
 * Locks lanes exclusively until the transaction ends, if the given sessions still hold them. Returns which ones it
 * locked. It skips lanes that others have locked at this moment, such as a transaction that stores an event. If events
 * arrive without a pause, waiting for a free moment could take forever.
 */
export async function lockFreeLanes(queries: Queries, lanes: readonly ClaimedLane[]): Promise<Set<string>> {
  if (lanes.length === 0) return new Set();
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where (endpoint_id, node) in (
      select given.value ->> 'endpointId', given.value ->> 'session' from ${givenRows(queries, lanes)})
    ${lockingFreeRows(queries)}`.execute(queries);
  return new Set(rows.map((row) => row.endpoint_id));
}
