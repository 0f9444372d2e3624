import type { Queries } from '../port.ts';

export async function findUser(queries: Queries, id: string) {
  return await queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}
