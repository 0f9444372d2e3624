import { sql } from 'kysely';
import { givenRows, lockingFreeRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Deletes empty lanes of deleted endpoints. Checks the next `limit` lanes after `after`.
 *
 * @returns the last lane that was checked, or undefined if there are no more.
 */
export async function removeIdleLanes(queries: Queries, after: string, limit: number): Promise<string | undefined> {
  const lanes = await queries
    .selectFrom('delivery_lanes as lane')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.id', 'lane.endpoint_id')
    .select(['lane.endpoint_id as id', 'endpoint.id as endpointId', 'lane.turn_at as turnAt'])
    .where('lane.endpoint_id', '>', after)
    .orderBy('lane.endpoint_id')
    .limit(limit)
    .execute();
  const idle = lanes.filter(({ endpointId, turnAt }) => endpointId === null && turnAt === null);
  // Locked before the look at the queue, as for a release. `touchLanes` explains why.
  const { rows: free } = await sql<{ endpoint_id: string }>`
    select endpoint_id from delivery_lanes
    where node is null and endpoint_id in (select given.value ->> 'id' from ${givenRows(queries, idle)})
    ${lockingFreeRows(queries)}`.execute(queries);
  for (const { endpoint_id } of free) {
    await queries
      .deleteFrom('delivery_lanes')
      .where('endpoint_id', '=', endpoint_id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('delivery_queue').select('delivery_id').where('endpoint_id', '=', endpoint_id))),
      )
      .execute();
  }
  return lanes.length === limit ? lanes.at(-1)?.id : undefined;
}
