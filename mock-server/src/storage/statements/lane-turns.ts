import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** When the next turns come. Undefined if there is no such lane with work. */
export interface LaneTurns {
  /** Of the free lanes. */
  free: Instant | undefined;
  /** Of the held lanes. Not later than their earliest due delivery. */
  held: Instant | undefined;
}

/** Finds when the next turns come. One look-up for free lanes; held lanes are few. */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where node is null) as free,
      (select min(turn_at) from delivery_lanes where node is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}
