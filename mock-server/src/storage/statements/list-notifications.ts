import { sql } from 'kysely';
import { listId } from '../dialect.ts';
import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';

/** Notifications, newest first. One user's come from the index by user, all users' from the primary key. */
export async function listNotifications(queries: Queries, userId: string | undefined, bound: Bound, limit: number) {
  const id = userId === undefined ? sql<string>`id` : listId(queries);
  return await queries
    .selectFrom('notifications')
    .selectAll()
    .$if(userId !== undefined, (query) => query.where('user_id', '=', String(userId)))
    .$if(bound.key !== undefined, (query) => query.where(id, idComparison(bound), String(bound.key)))
    .orderBy(id, bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
