import type { Queries } from '../port.ts';

/** An endpoint of any workspace, for the control API. */
export async function findEndpointAnywhere(queries: Queries, id: string) {
  return await queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
}
