import type { Queries } from '../port.ts';

/** The workspace's endpoints, newest first. There are at most 100, so they fit on one page. */
export async function listEndpoints(queries: Queries, workspaceId: string) {
  return await queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .execute();
}
