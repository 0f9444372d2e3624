import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * When the first delivery falls due that is not due at `now`; undefined where none is. A seek for the lanes whose turn
 * comes later; in each of the others, which have something due or are held, two in the queue's index.
 */
export async function findNextDueAfter(queries: Queries, now: Instant): Promise<Instant | undefined> {
  const held = (isHeld: boolean) => (isHeld ? sql`lease_until is not null` : sql`lease_until is null`);
  const later = (isHeld: boolean) => sql`
    select min(turn_at) as at from delivery_lanes where ${held(isHeld)} and turn_at > ${now}`;
  const behind = (isHeld: boolean, retry: 0 | 1) => sql`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} and due_at > ${now})) as at
    from delivery_lanes as lane where ${held(isHeld)} and turn_at <= ${now}`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (
      ${later(false)} union all ${behind(false, 0)} union all ${behind(false, 1)}
      union all ${later(true)} union all ${behind(true, 0)} union all ${behind(true, 1)}
    ) as next`.execute(queries);
  return rows[0]?.at ?? undefined;
}
