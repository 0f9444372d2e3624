import { lowestBareIdAt } from '../../../domain/id-time.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Queries } from '../../port.ts';
import { findOldestIds } from '../find-oldest-ids.ts';

/**
 * Deletes evaluations that started before `before`, oldest first, at most `limit`. @returns whether there may be more.
 */
export async function removeOldEvaluations(queries: Queries, before: Instant, limit: number): Promise<boolean> {
  const ids = await findOldestIds(queries, 'evaluations', `evl_${lowestBareIdAt(before)}`, limit);
  if (ids.length > 0) await queries.deleteFrom('evaluations').where('id', 'in', ids).execute();
  return ids.length === limit;
}
