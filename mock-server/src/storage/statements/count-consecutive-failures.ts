import { sql } from 'kysely';
import { countFailures, type EndedStatus } from '../../domain/consecutive-failures.ts';
import type { Instant } from '../../domain/instant.ts';
import { givenRows, lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** An endpoint that was disabled because its deliveries kept failing. */
export interface AutoDisabledEndpoint {
  id: string;
  workspaceId: string;
}

/**
 * Counts ended deliveries in order, for each endpoint, and disables the endpoints whose count reaches the limit.
 *
 * @returns the endpoints that this call disabled.
 */
export async function countConsecutiveFailures(
  queries: Queries,
  endedByEndpoint: ReadonlyMap<string, readonly EndedStatus[]>,
  now: Instant,
): Promise<AutoDisabledEndpoint[]> {
  if (endedByEndpoint.size === 0) return [];
  const given = givenRows(
    queries,
    [...endedByEndpoint].map(([id, ended]) => ({ id, fails: ended.some((status) => status !== 'success') ? 1 : 0 })),
  );
  // An endpoint without failures has a count of zero and keeps it. This common case locks nothing and writes nothing.
  const { rows } = await sql<{ id: string; workspaceId: string; active: number; consecutiveFailures: number }>`
    select endpoint.id, workspace_id as "workspaceId", active, consecutive_failures as "consecutiveFailures"
    from ${given} join webhook_endpoints as endpoint on endpoint.id = given.value ->> 'id'
    where consecutive_failures > 0 or cast(given.value ->> 'fails' as integer) = 1
    order by endpoint.id ${lockingRows(queries)}`.execute(queries);

  const disabled: AutoDisabledEndpoint[] = [];
  for (const { id, workspaceId, active, consecutiveFailures } of rows) {
    const count = countFailures({ consecutiveFailures, active: active === 1 }, endedByEndpoint.get(id) ?? []);
    if (count.consecutiveFailures === consecutiveFailures && !count.disables) continue;
    await queries
      .updateTable('webhook_endpoints')
      .set({
        consecutive_failures: count.consecutiveFailures,
        ...(count.disables && { active: 0, disabled_at: now, updated_at: now }),
      })
      .where('id', '=', id)
      .execute();
    if (count.disables) disabled.push({ id, workspaceId });
  }
  return disabled;
}
