import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * Whether a delivery with an id below `firstLater` is due, in flight or not. Two seeks in the queue's index for each lane
 * whose turn has come.
 */
export async function isAnyDue(queries: Queries, now: Instant, firstLater: string): Promise<boolean> {
  // What falls due first has been there longest: of what is due since the same instant, the lowest id.
  const head = (retry: 0 | 1) => sql`
    select 1 from delivery_lanes as lane where turn_at <= ${now} and exists (
      select 1 from (
        select delivery_id from delivery_queue
        where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} and due_at <= ${now}
        order by due_at, delivery_id limit 1
      ) as head where delivery_id < ${firstLater})`;
  const { rows } = await sql<{ found: number | boolean }>`
    select exists (${head(0)}) or exists (${head(1)}) as found`.execute(queries);
  return Boolean(rows[0]?.found);
}
