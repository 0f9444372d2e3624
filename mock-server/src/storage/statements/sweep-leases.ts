import { leaseClock, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Gives back lanes whose lease ran out: their holder died or was frozen. The fencing token stays, so a holder that
 * comes back before anyone else claimed the lane may still write its results. A lane that somebody has locked is left
 * to the next sweep: to wait for it would hold one of the engine's few connections.
 *
 * @returns the number of lanes given back.
 */
export async function sweepLeases(queries: Queries): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('delivery_lanes')
    .set({ lease_until: null })
    .where('endpoint_id', 'in', (eb) =>
      eb
        .selectFrom('delivery_lanes')
        .select('endpoint_id')
        .where('lease_until', '<', leaseClock(queries))
        .modifyEnd(skippingLockedRows(queries)),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
