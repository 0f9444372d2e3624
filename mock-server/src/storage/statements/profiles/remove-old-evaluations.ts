import { lowestBareIdAt } from '../../../domain/id-time.ts';
import type { Instant } from '../../../runtime/clock.ts';
import type { Queries } from '../../port.ts';

/** Removes evaluations that started before `before`, the oldest first, at most `limit`. @returns whether there may be more. */
export async function removeOldEvaluations(queries: Queries, before: Instant, limit: number): Promise<boolean> {
  const old = await queries
    .selectFrom('evaluations')
    .select('id')
    .where('id', '<', `evl_${lowestBareIdAt(before)}`)
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await queries.deleteFrom('evaluations').where('id', 'in', ids).execute();
  return ids.length === limit;
}
