import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Which of these endpoints are active. None of the endpoints can change before the transaction ends. So if somebody
 * activates an endpoint in the meantime, no delivery can have been accepted for it yet.
 */
export async function findActive(queries: Queries, endpointIds: readonly string[]): Promise<Set<string>> {
  const locking = isPostgres(queries) ? sql`for share` : sql``;
  const { rows } = await sql<{ id: string; active: number }>`
    select id, active from webhook_endpoints where id in (${sql.join(endpointIds)}) order by id ${locking}`.execute(
    queries,
  );
  return new Set(rows.flatMap(({ id, active }) => (active === 1 ? [id] : [])));
}
