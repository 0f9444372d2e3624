import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';

/** Credentials of a workspace (`credentials_by_workspace`) or of a user (`credentials_by_user`), newest first. */
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
    .$if(bound.key !== undefined, (query) => query.where('id', idComparison(bound), String(bound.key)))
    .orderBy('id', bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
