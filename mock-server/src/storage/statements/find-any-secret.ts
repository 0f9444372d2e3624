import type { Queries } from '../port.ts';

/** Any signing secret, to check the master key with. */
export async function findAnySecret(queries: Queries) {
  return await queries.selectFrom('webhook_secrets').selectAll().orderBy('id').limit(1).executeTakeFirst();
}
