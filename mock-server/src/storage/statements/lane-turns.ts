import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** When the next turns come; undefined where there is no such lane with work. */
export interface LaneTurns {
  /** Of the lanes that nobody holds. */
  free: Instant | undefined;
  /** Of the lanes that a node holds: not later than what is due in them. */
  held: Instant | undefined;
}

/** Looks up when the next lane's turn comes: a seek for the free ones; the held ones are few. */
export async function laneTurns(queries: Queries): Promise<LaneTurns> {
  const { rows } = await sql<{ free: Instant | null; held: Instant | null }>`
    select
      (select min(turn_at) from delivery_lanes where lease_until is null) as free,
      (select min(turn_at) from delivery_lanes where lease_until is not null) as held`.execute(queries);
  return { free: rows[0]?.free ?? undefined, held: rows[0]?.held ?? undefined };
}
