import type { Queries } from '../port.ts';

/** The snapshots by name. */
export async function listSnapshots(queries: Queries) {
  return await queries
    .selectFrom('snapshots')
    .select(['name', 'created_at'])
    .where('part', '=', 1)
    .orderBy('name')
    .execute();
}
