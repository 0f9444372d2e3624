import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** Behind which instants deliveries are looked for. */
export interface NextDue {
  /** Of retries. */
  now: Instant;
  /** Of first attempts, which are due when they are created: up to here nodes whose clock is not held create them. */
  present: Instant;
}

/**
 * When the first delivery falls due that is not due at `now`, but for first attempts that are due by `present`, which is
 * not before it; undefined where none is. A seek for the lanes whose turn comes later; in each of the others, which have
 * something due or are held, two in the queue's index.
 */
export async function findNextDueAfter(queries: Queries, { now, present }: NextDue): Promise<Instant | undefined> {
  const held = (isHeld: boolean) => (isHeld ? sql`lease_until is not null` : sql`lease_until is null`);
  const later = (isHeld: boolean) => sql`
    select min(turn_at) as at from delivery_lanes where ${held(isHeld)} and turn_at > ${present}`;
  const behind = (isHeld: boolean, retry: 0 | 1, from: Instant) => sql`
    select min((select min(due_at) from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} and due_at > ${from})) as at
    from delivery_lanes as lane where ${held(isHeld)} and turn_at <= ${present}`;
  const { rows } = await sql<{ at: Instant | null }>`
    select min(at) as at from (
      ${later(false)} union all ${behind(false, 0, present)} union all ${behind(false, 1, now)}
      union all ${later(true)} union all ${behind(true, 0, present)} union all ${behind(true, 1, now)}
    ) as next`.execute(queries);
  return rows[0]?.at ?? undefined;
}
