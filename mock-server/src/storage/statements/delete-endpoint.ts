import type { Queries } from '../port.ts';

/**
 * Deletes an endpoint and, through the tables' cascade, its secrets. Its deliveries stay. Pending ones become
 * `disabled` when they fall due.
 */
export async function deleteEndpoint(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const result = await queries
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
