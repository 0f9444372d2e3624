import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';

/** When each previous secret of an endpoint stops signing, if it is valid at `now`. */
export async function findSecretExpiries(queries: Queries, endpointId: string, now: Instant): Promise<Instant[]> {
  const rows = await queries
    .selectFrom('webhook_secrets')
    .select('expires_at')
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '>', now)
    .execute();
  return rows.flatMap(({ expires_at }) => expires_at ?? []);
}
