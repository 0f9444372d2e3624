import type { Queries } from '../port.ts';
import { touchLanes } from '../statements/touch-lanes.ts';

/** Creates the lane of each endpoint that has deliveries in the queue. */
export async function rebuildLanes(queries: Queries): Promise<void> {
  const rows = await queries
    .selectFrom('delivery_queue')
    .select((eb) => ['endpoint_id', eb.fn.min('due_at').as('due_at')])
    .groupBy('endpoint_id')
    .execute();
  if (rows.length > 0) await touchLanes(queries, new Map(rows.map((row) => [row.endpoint_id, Number(row.due_at)])));
}
