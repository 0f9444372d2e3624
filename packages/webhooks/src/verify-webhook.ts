import type { Delivery } from './delivery.ts';
import { toLimits, type VerificationLimits } from './limits.ts';
import { verifyDelivery, type WebhookMessage } from './message.ts';
import { type Secrets, toSigners } from './signers.ts';

/** What {@link verifyWebhook} takes. */
export interface VerifyWebhookOptions extends WebhookMessage, VerificationLimits {
  /** The endpoint's signing secret; during a rotation both, the current one first. */
  secrets: Secrets;
}

/**
 * Verifies one delivery and returns it with its typed event. Throws {@link WebhookError}, or `RangeError` if a number is out of
 * bounds. Synchronous in every runtime. This is only the core, for small bundles: {@link createWebhooks} adds requests, handlers and
 * deduplication.
 *
 * {@includeCode ../test/documented/verify-webhook.ts#verify}
 */
export function verifyWebhook(options: VerifyWebhookOptions): Delivery {
  // What comes from programs without types may be no object at all.
  const given = Object(options) as VerifyWebhookOptions;
  return verifyDelivery(() => toSigners(given.secrets), given, toLimits(given));
}
