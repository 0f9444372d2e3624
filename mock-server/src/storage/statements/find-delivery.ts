import type { Queries } from '../port.ts';

export async function findDelivery(queries: Queries, workspaceId: string, id: string) {
  return await queries
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}
