import { sql } from 'kysely';
import { givenRows, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Locks lanes against claims and write-backs until the transaction ends. Returns the token that holds each lane, by
 * endpoint.
 */
export async function lockLanes(queries: Queries, endpointIds: readonly string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const given = givenRows(
    queries,
    endpointIds.map((endpointId) => ({ endpointId })),
  );
  // Always in the same order, so that two nodes that lock the same lanes cannot deadlock.
  const { rows } = await sql<{ endpoint_id: string; lease_token: number }>`
    select endpoint_id, lease_token from delivery_lanes
    where endpoint_id in (select given.value ->> 'endpointId' from ${given})
    order by endpoint_id ${lockingRows(queries)}`.execute(queries);
  return new Map(rows.map((row) => [row.endpoint_id, row.lease_token]));
}
