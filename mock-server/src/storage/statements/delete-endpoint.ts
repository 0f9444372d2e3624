import type { Queries } from '../port.ts';

/** Removes an endpoint and, by the tables' cascade, its secrets. Its deliveries stay; those still pending become `disabled` when they fall due. */
export async function deleteEndpoint(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const result = await queries
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
