import { sql } from 'kysely';
import { leaseClock } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A credential's window, with the request that was just counted. */
export interface RequestWindow {
  /** Requests counted, this one among them; it stops at one over the limit. */
  taken: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
}

/**
 * Counts a request against its credential's window, or begins the next window with it where that one has ended. The
 * row's lock lets requests by one after the other, on whatever node they came in, so the count is exact.
 */
export async function takeRequest(
  queries: Queries,
  { credentialId, limit, windowMs }: { credentialId: string; limit: number; windowMs: number },
): Promise<RequestWindow> {
  const now = leaseClock(queries);
  // `excluded.started_at` is one instant for the whole statement, so both columns see the same window.
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
