import type { Queries } from '../port.ts';

/** The lines of a part, from the primary key. `undefined` after the last one. */
export async function findSnapshotPart(queries: Queries, name: string, part: number): Promise<string | undefined> {
  const row = await queries
    .selectFrom('snapshots')
    .select('lines')
    .where('name', '=', name)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.lines;
}
