import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** The ids of all deliveries that are due, in flight or not: a range of the queue's index for each lane whose turn has come. */
export async function listDueDeliveries(queries: Queries, now: Instant): Promise<string[]> {
  const dueIn = (held: boolean) => sql`
    select queue.delivery_id as id from delivery_lanes as lane
    join delivery_queue as queue on queue.endpoint_id = lane.endpoint_id and queue.retry in (0, 1)
    where lane.lease_until is ${held ? sql`not null` : sql`null`} and lane.turn_at <= ${now} and queue.due_at <= ${now}`;
  const { rows } = await sql<{ id: string }>`${dueIn(false)} union all ${dueIn(true)}`.execute(queries);
  return rows.map(({ id }) => id);
}
