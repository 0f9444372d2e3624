import { sql } from 'kysely';
import type { StoredSecret } from '../../domain/derive-secret.ts';
import type { Instant } from '../../domain/instant.ts';
import { givenIds } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * The current secret has no expiry time. Of the replaced secrets, the newest has the latest expiry time. In a request,
 * the signatures have the same order as the secrets.
 */
const NEWEST_FIRST = sql`case when expires_at is null then 0 else 1 end, expires_at desc, id desc`;

/** Lists the secrets of an endpoint, newest first. Includes expired secrets until the next rotation deletes them. */
export async function listSecrets(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .orderBy(NEWEST_FIRST)
    .execute();
}

export async function findSigningSecrets(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
): Promise<(StoredSecret & { endpointId: string })[]> {
  const { rows } = await sql<StoredSecret & { endpointId: string }>`
    select id, endpoint_id as "endpointId", salt, hash, preview, sealed from webhook_secrets
    where endpoint_id in ${givenIds(queries, endpointIds)} and (expires_at is null or expires_at > ${now})
    order by ${NEWEST_FIRST}`.execute(queries);
  return rows;
}
