import { listId } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** An endpoint's latest deliveries, from `deliveries_by_endpoint`. */
export async function listEndpointActivity(
  queries: Queries,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  limit: number,
) {
  return await queries
    .selectFrom('deliveries')
    .select(['id', 'status', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('endpoint_id', '=', endpointId)
    .orderBy(listId(queries), 'desc')
    .limit(limit)
    .execute();
}
