import type { WebhookSecretId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A signing secret, as the service returns it when you create an endpoint or rotate its secret.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#secret}
 */
export interface WebhookSecret {
  /** Id of the secret. */
  id: WebhookSecretId;
  /** The raw secret: `whsec_`, followed by base64url. The secret is returned only once. */
  secret: `whsec_${string}`;
  /** The secret in a shortened form that is safe to show. */
  secretPreview: string;
  /** When the secret was created. */
  createdAt: Timestamp;
}
