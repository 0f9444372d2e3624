import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** Counts the due deliveries, in flight or not, up to `limit`. An exact count beyond that is not worth its cost. */
export async function countDueDeliveries(queries: Queries, now: Instant, limit: number): Promise<number> {
  const dueIn = (held: boolean) => sql`
    select queue.delivery_id from delivery_lanes as lane
    join delivery_queue as queue on queue.endpoint_id = lane.endpoint_id and queue.retry in (0, 1)
    where lane.node is ${held ? sql`not null` : sql`null`} and lane.turn_at <= ${now} and queue.due_at <= ${now}`;
  const { rows } = await sql<{ due: number }>`
    select count(*) as due from (
      select * from (${dueIn(false)} limit ${limit}) as free
      union all
      select * from (${dueIn(true)} limit ${limit}) as held
    ) as found`.execute(queries);
  return Math.min(Number(rows[0]?.due ?? 0), limit);
}
