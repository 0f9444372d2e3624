import type { WebhookSecretId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A signing secret, as returned on create and rotate.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#secret}
 */
export interface WebhookSecret {
  /** Id of the secret. */
  id: WebhookSecretId;
  /** The raw secret: `whsec_` and base64url. Returned only once. */
  secret: `whsec_${string}`;
  /** A shortened form that is safe to show. */
  secretPreview: string;
  /** When the secret was created. */
  createdAt: Timestamp;
}
