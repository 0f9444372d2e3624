import { sql } from 'kysely';
import { givenRows, lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { ClaimedLane } from './claim-lanes.ts';

/**
 * Locks lanes that are held under the given tokens for the rest of the transaction, against everybody, and tells which.
 * Those that somebody else has touched at this moment, as whoever stores an event for them does, are passed over: while
 * events come one upon another, to wait for a moment without any might take for ever.
 */
export async function lockFreeLanes(queries: Queries, lanes: readonly ClaimedLane[]): Promise<Set<string>> {
  if (lanes.length === 0) return new Set();
  const { rows } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where (endpoint_id, lease_token) in (
      select given.value ->> 'endpointId', cast(given.value ->> 'leaseToken' as bigint) from ${givenRows(queries, lanes)})
    ${lockingFreeRows(queries)}`.execute(queries);
  return new Set(rows.map((row) => row.endpoint_id));
}
