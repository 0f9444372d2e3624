import type { Queries } from '../port.ts';
import type { EndpointTable } from '../schema/webhooks.ts';

/**
 * Inserts an endpoint, or returns false if the workspace already has `max`. It locks the workspace's row, so that two
 * inserts at the same time cannot exceed the limit.
 */
export async function insertEndpoint(queries: Queries, endpoint: EndpointTable, max: number): Promise<boolean> {
  await queries
    .updateTable('workspaces')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', endpoint.workspace_id)
    .execute();
  const present = await queries
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('workspace_id', '=', endpoint.workspace_id)
    .limit(max)
    .execute();
  if (present.length >= max) return false;
  await queries.insertInto('webhook_endpoints').values(endpoint).execute();
  return true;
}
