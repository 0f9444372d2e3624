import type { Queries } from '../port.ts';

/** Finds the names of the nodes that hold lanes. */
export async function findLaneHolders(queries: Queries): Promise<string[]> {
  const rows = await queries
    .selectFrom('delivery_lanes')
    .select('holder')
    .distinct()
    .where('lease_until', 'is not', null)
    .where('holder', 'is not', null)
    .$narrowType<{ holder: string }>()
    .execute();
  return rows.map(({ holder }) => holder);
}
