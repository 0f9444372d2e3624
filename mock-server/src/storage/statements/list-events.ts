import type { ListEventsQuery } from '@svc/contract';
import { listId } from '../dialect.ts';
import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';

/** Events of a workspace, newest first. Each filter has an index that ends in the id, so a page is read in order. */
export async function listEvents(
  queries: Queries,
  workspaceId: string,
  filter: ListEventsQuery,
  bound: Bound,
  limit: number,
) {
  const id = listId(queries);
  const { type, subjectType, subjectId } = filter;
  return await queries
    .selectFrom('events')
    .select(['id', 'body'])
    .where('workspace_id', '=', workspaceId)
    .$if(type !== undefined, (query) => query.where('type', '=', String(type)))
    .$if(subjectType !== undefined, (query) => query.where('subject_type', '=', String(subjectType)))
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', String(subjectId)))
    .$if(bound.key !== undefined, (query) => query.where(id, idComparison(bound), String(bound.key)))
    .orderBy(id, bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
