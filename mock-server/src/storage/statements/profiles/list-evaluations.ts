import { listId } from '../../dialect.ts';
import { type Bound, idComparison } from '../../keyset.ts';
import type { Queries } from '../../port.ts';

/** Evaluations of a workspace, newest first, from the index by workspace. */
export async function listEvaluations(queries: Queries, workspaceId: string, bound: Bound, limit: number) {
  const id = listId(queries);
  return await queries
    .selectFrom('evaluations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(bound.key !== undefined, (query) => query.where(id, idComparison(bound), String(bound.key)))
    .orderBy(id, bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
