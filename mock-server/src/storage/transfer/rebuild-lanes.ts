import { sql } from 'kysely';
import type { Queries } from '../port.ts';
import { FIRST_ATTEMPTS_AHEAD_MS, touchLanes } from '../statements/lanes/turns.ts';

/** Creates a lane for each endpoint that has deliveries in the queue. There must be no lanes yet. */
export async function rebuildLanes(queries: Queries): Promise<void> {
  const rows = await queries
    .selectFrom('delivery_queue')
    .select((eb) => ['endpoint_id', eb.fn.min('due_at').as('due_at')])
    .groupBy('endpoint_id')
    .execute();
  if (rows.length === 0) return;
  await touchLanes(queries, new Map(rows.map((row) => [row.endpoint_id, Number(row.due_at)])));
  // Only first attempts give a lane an earlier turn. Retries wait until they are due.
  await sql`
    update delivery_lanes set turn_at = (
      select min(case when retry = 0 then due_at - ${sql.lit(FIRST_ATTEMPTS_AHEAD_MS)} else due_at end)
      from delivery_queue where delivery_queue.endpoint_id = delivery_lanes.endpoint_id
    )`.execute(queries);
}
