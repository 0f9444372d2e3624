import { type RawBuilder, sql } from 'kysely';
import { isPostgres, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { CONNECTION_PREFIX } from '../postgres/connected-nodes.ts';

/**
 * Releases the lanes of nodes that are gone, unless such a node is connected again. The fencing token does not change.
 * A locked lane has to wait until the next call.
 *
 * @returns the number of lanes released.
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
        .where((where) => where.not(isConnected(queries)))
        .modifyEnd(skippingLockedRows(queries)),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether the holder of a lane is connected, judged by the names of connections. */
function isConnected(queries: Queries): RawBuilder<boolean> {
  if (!isPostgres(queries)) return sql`false`;
  return sql`exists (
    select 1 from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${CONNECTION_PREFIX} || holder || ' ')
  )`;
}
