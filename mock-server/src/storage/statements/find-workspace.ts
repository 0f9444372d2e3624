import type { Queries } from '../port.ts';

export async function findWorkspace(queries: Queries, id: string) {
  return await queries.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst();
}
