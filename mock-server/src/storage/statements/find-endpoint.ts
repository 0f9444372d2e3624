import type { Queries } from '../port.ts';

/** An endpoint of this workspace. Endpoints of other workspaces are not found. */
export async function findEndpoint(queries: Queries, workspaceId: string, id: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}
