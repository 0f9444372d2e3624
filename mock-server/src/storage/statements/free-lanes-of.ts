import { skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Gives back the lanes of nodes that are gone. The fencing token stays. A lane that somebody has locked is left to the
 * next time.
 *
 * @returns the number of lanes given back.
 */
export async function freeLanesOf(queries: Queries, holders: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('delivery_lanes')
    .set({ lease_until: null })
    .where('endpoint_id', 'in', (eb) =>
      eb
        .selectFrom('delivery_lanes')
        .select('endpoint_id')
        .where('lease_until', 'is not', null)
        .where('holder', 'in', holders)
        .modifyEnd(skippingLockedRows(queries)),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
