import type { Queries } from '../port.ts';

/**
 * Releases every lane. Only for the start of the process that owns an embedded database, when no one else can hold a
 * lane.
 */
export async function clearLeases(queries: Queries): Promise<void> {
  await queries.updateTable('delivery_lanes').set({ lease_until: null }).where('lease_until', 'is not', null).execute();
}
