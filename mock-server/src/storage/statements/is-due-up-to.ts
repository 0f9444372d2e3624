import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/**
 * Whether a delivery is due before `at`, or at `at` with an id up to `upToId`, in flight or not. It reads the first
 * place of each part of each lane whose turn has come. So the cost grows with those lanes, not with their deliveries.
 */
export async function isDueUpTo(queries: Queries, { at, upToId }: { at: Instant; upToId: string }): Promise<boolean> {
  const isFirstDue = (retry: 0 | 1) => sql`exists (
    select 1 from (
      select due_at, delivery_id from delivery_queue
      where endpoint_id = lane.endpoint_id and retry = ${sql.lit(retry)} order by due_at, delivery_id limit 1
    ) as place where place.due_at < ${at} or (place.due_at = ${at} and place.delivery_id <= ${upToId}))`;
  const lanes = (isHeld: boolean) => sql`
    select 1 from delivery_lanes as lane
    where lane.node is ${isHeld ? sql`not null` : sql`null`} and lane.turn_at <= ${at}
      and (${isFirstDue(0)} or ${isFirstDue(1)})`;
  const { rows } = await sql<{ found: number | boolean }>`
    select exists (${lanes(false)}) or exists (${lanes(true)}) as found`.execute(queries);
  return Boolean(rows[0]?.found);
}
