import type { Instant } from '../../domain/instant.ts';
import type { StoredSecret } from '../../domain/webhook-secret.ts';
import type { Queries } from '../port.ts';

/**
 * Makes a secret the endpoint's current one. The previous secret keeps signing until `previousExpiresAt`. Older ones
 * keep their own end. Expired ones are deleted.
 */
export async function insertSecret(
  queries: Queries,
  endpointId: string,
  secret: StoredSecret,
  now: Instant,
  previousExpiresAt: Instant,
): Promise<void> {
  await queries
    .deleteFrom('webhook_secrets')
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '<=', now)
    .execute();
  await queries
    .updateTable('webhook_secrets')
    .set({ expires_at: previousExpiresAt })
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', 'is', null)
    .execute();
  await queries
    .insertInto('webhook_secrets')
    .values({
      id: secret.id,
      endpoint_id: endpointId,
      salt: secret.salt,
      hash: secret.hash,
      preview: secret.preview,
      sealed: secret.sealed,
      created_at: now,
      expires_at: null,
    })
    .execute();
}
