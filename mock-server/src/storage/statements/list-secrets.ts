import { sql } from 'kysely';
import type { Queries } from '../port.ts';

/**
 * An endpoint's secrets, newest first, which is the order of their signatures. Includes expired ones until the next
 * rotation.
 */
export async function listSecrets(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .orderBy(sql`case when expires_at is null then 0 else 1 end`)
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
