import { leaseClock, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Releases lanes whose lease has expired because their holder died or froze. The fencing token does not change, so a
 * holder that returns before another claim can still write its results. A locked lane has to wait for the next sweep,
 * because waiting would occupy one of the engine's few connections.
 *
 * @returns the number of lanes released.
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
