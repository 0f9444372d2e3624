import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * When the first retry falls due that is not due at `now`, of deliveries with ids up to `upToId`; undefined where none
 * is. In each lane a seek in the queue's index, which goes on over what was created later.
 */
export async function findNextRetryAfter(
  queries: Queries,
  { now, upToId }: { now: Instant; upToId: string },
): Promise<Instant | undefined> {
  const { rows } = await sql<{ at: Instant | null }>`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = 1 and due_at > ${now} and delivery_id <= ${upToId})) as at
    from delivery_lanes as lane`.execute(queries);
  return rows[0]?.at ?? undefined;
}
