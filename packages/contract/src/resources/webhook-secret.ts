import type { WebhookSecretId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A signing secret, as create and rotate return it (service document, "Webhook secret").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#secret}
 */
export interface WebhookSecret {
  id: WebhookSecretId;
  /** The raw secret, `whsec_` and base64url; returned exactly once. */
  secret: `whsec_${string}`;
  /** Shortened form, safe to show. */
  secretPreview: string;
  createdAt: Timestamp;
}
