import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * When the next retry after `now` falls due, among deliveries with ids up to `upToId`. Undefined if none does. In each
 * lane it reads past the retries of later deliveries, so use it only for a clock that moves under load.
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
