import { sql } from 'kysely';
import { leaseClock } from '../dialect.ts';
import type { Queries } from '../port.ts';

export interface RequestWindow {
  /** The number of requests in the window, including the current request. The count stops at one above the limit. */
  taken: number;
  endsInMs: number;
}

/**
 * Counts a request in the window of its credential. If the window has ended, a new window starts. All nodes count in
 * the same row, and each accepted request locks the row, so the count is exact. For a refused request, the database
 * only reads, so a client that ignores 429 responses causes no writes. PostgreSQL only.
 */
export async function takeRequest(
  queries: Queries,
  { credentialId, limit, windowMs }: { credentialId: string; limit: number; windowMs: number },
): Promise<RequestWindow> {
  const inWindow = sql`excluded.started_at < w.started_at + ${windowMs}`;
  const { rows } = await sql<RequestWindow>`
    with clock as materialized (select ${leaseClock(queries)} as now),
    exhausted as materialized (
      select taken, started_at from rate_limit_windows, clock
      where credential_id = ${credentialId} and taken > ${limit} and now < started_at + ${windowMs}
    ),
    counted as (
      insert into rate_limit_windows as w (credential_id, started_at, taken)
      select ${credentialId}, now, 1 from clock where not exists (select from exhausted)
      on conflict (credential_id) do update set
        started_at = case when ${inWindow} then w.started_at else excluded.started_at end,
        taken = case when not ${inWindow} then 1 when w.taken > ${limit} then w.taken else w.taken + 1 end
      returning taken, started_at
    )
    -- While a request waits for the row, another request can start a window that is later than this request's clock.
    select taken, least(started_at + ${windowMs} - now, ${windowMs}) as "endsInMs"
    from (select * from exhausted union all select * from counted) as used, clock`.execute(queries);
  const [window] = rows;
  if (!window) throw new TypeError('An upsert returns its row.');
  return window;
}
