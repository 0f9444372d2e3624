import { leaseClock } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Gives back lanes whose lease ran out: their holder died or was frozen. The fencing token stays, so a holder that
 * comes back before anyone else claimed the lane may still write its results.
 *
 * @returns the number of lanes given back.
 */
export async function sweepLeases(queries: Queries): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('delivery_lanes')
    .set({ lease_until: null })
    .where('lease_until', '<', leaseClock(queries))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
