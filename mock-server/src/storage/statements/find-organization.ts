import type { Queries } from '../port.ts';

export async function findOrganization(queries: Queries, id: string) {
  return await queries.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}
