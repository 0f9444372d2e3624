import type { Queries } from '../port.ts';

/** Gives back every lane. Only for the one process that owns an embedded database, at start: nobody else can hold one then. */
export async function clearLeases(queries: Queries): Promise<void> {
  await queries.updateTable('delivery_lanes').set({ lease_until: null }).where('lease_until', 'is not', null).execute();
}
