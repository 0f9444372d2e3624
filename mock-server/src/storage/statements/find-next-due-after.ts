import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * When the next delivery falls due after `at`, or undefined if none does. One look-up covers the free lanes whose turn
 * comes later. Each other lane takes two look-ups in the queue, because its turn says nothing about later deliveries.
 */
export async function findNextDueAfter(queries: Queries, at: Instant): Promise<Instant | undefined> {
  const laterIn = (isHeld: boolean, retry: 0 | 1) => sql`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} and due_at > ${at})) as at
    from delivery_lanes as lane
    where ${isHeld ? sql`node is not null` : sql`node is null and turn_at <= ${at}`}`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (
      select min(turn_at) as at from delivery_lanes where node is null and turn_at > ${at}
      union all ${laterIn(false, 0)} union all ${laterIn(false, 1)}
      union all ${laterIn(true, 0)} union all ${laterIn(true, 1)}
    ) as next`.execute(queries);
  return rows[0]?.at ?? undefined;
}
