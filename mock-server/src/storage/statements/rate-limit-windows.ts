import { sql } from 'kysely';
import { leaseClock } from '../dialect.ts';
import type { Queries } from '../port.ts';

export interface RequestWindow {
  /** The number of requests in the window, including the current request. The count stops at one above the limit. */
  taken: number;
  endsInMs: number;
}

/** All nodes count in the same row, and each request locks the row, so the count is exact. */
export async function takeRequest(
  queries: Queries,
  { credentialId, limit, windowMs }: { credentialId: string; limit: number; windowMs: number },
): Promise<RequestWindow> {
  const now = leaseClock(queries);
  // Both columns must use the same time. A second read of the clock could return a later time.
  const inWindow = sql`excluded.started_at < rate_limit_windows.started_at + ${windowMs}`;
  const { rows } = await sql<RequestWindow>`
    insert into rate_limit_windows (credential_id, started_at, taken) values (${credentialId}, ${now}, 1)
    on conflict (credential_id) do update set
      started_at = case when ${inWindow} then rate_limit_windows.started_at else excluded.started_at end,
      taken = case
        when not ${inWindow} then 1
        when rate_limit_windows.taken > ${limit} then rate_limit_windows.taken
        else rate_limit_windows.taken + 1 end
    returning taken, started_at + ${windowMs} - ${now} as "endsInMs"`.execute(queries);
  const [window] = rows;
  if (!window) throw new TypeError('An upsert returns its row.');
  return window;
}
