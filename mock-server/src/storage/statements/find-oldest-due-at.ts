import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** The most lanes to read, those with the earliest turns. */
const LANES_MAX = 500;

/** When the oldest due delivery fell due, in flight or not. Undefined if nothing is due. */
export async function findOldestDueAt(queries: Queries, now: Instant): Promise<Instant | undefined> {
  const lanes = (held: boolean) => sql`
    select endpoint_id from delivery_lanes
    where node is ${held ? sql`not null` : sql`null`} and turn_at <= ${now} order by turn_at limit ${LANES_MAX}`;
  // Two look-ups for each lane, because its head is exact only while nobody holds the lane.
  const head = (retry: 0 | 1) => sql`
    select (select min(due_at) from delivery_queue where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)}) as at
    from (select * from (${lanes(false)}) as free union all select * from (${lanes(true)}) as held) as lane`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (${head(0)} union all ${head(1)}) as heads`.execute(queries);
  const at = rows[0]?.at ?? undefined;
  return at !== undefined && at <= now ? at : undefined;
}
