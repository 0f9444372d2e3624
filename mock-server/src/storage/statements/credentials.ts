import { type Bound, rowsFrom } from '../keyset.ts';
import type { Queries } from '../port.ts';

/** Credentials are not cached, so a revoked credential immediately stops working on every node. */
export async function findCredential(queries: Queries, hash: string) {
  return await queries.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export async function deleteCredential(queries: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function listCredentials(
  queries: Queries,
  owner: { workspaceId: string } | { userId: string },
  bound: Bound,
  limit: number,
) {
  const [column, id] =
    'workspaceId' in owner ? (['workspace_id', owner.workspaceId] as const) : (['user_id', owner.userId] as const);
  return await queries
    .selectFrom('credentials')
    .select(['id', 'kind', 'name', 'test', 'created_at'])
    .where(column, '=', id)
    .$call(rowsFrom(bound, limit))
    .execute();
}
