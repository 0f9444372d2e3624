import type { Queries } from '../port.ts';

/** The lowest ids of a table below a bound, at most `limit`, from the primary key. Ids rise with time. */
export async function findOldestIds(
  queries: Queries,
  table: 'evaluations' | 'notifications' | 'replayed_events',
  below: string,
  limit: number,
): Promise<string[]> {
  const rows = await queries
    .selectFrom(table)
    .select('id')
    .where('id', '<', below)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
