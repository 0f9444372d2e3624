import type { Delivery } from './delivery.ts';
import { LIMITS, toLimits, type VerificationLimits } from './limits.ts';
import { checkNames } from './option-checks.ts';
import { type Secrets, toSigners } from './signers.ts';
import { verifyDelivery, type WebhookMessage } from './verify-message.ts';

/** Options for {@link verifyWebhook}. */
export interface VerifyWebhookOptions extends WebhookMessage, VerificationLimits {
  /** The endpoint's signing secret. During a rotation, pass an array with the current secret first. */
  secrets: Secrets;
}

/**
 * Verifies one delivery and returns it with its typed event. The function is synchronous in every runtime. Throws
 * {@link WebhookError} if the delivery is rejected, `RangeError` if a number is out of bounds, and `TypeError` for a
 * shortened option name, such as `secret`. The function ignores other unknown names, so that you can spread a request:
 * `{ ...request, secrets }`. To keep bundles small, this function only verifies. {@link createWebhooks} also reads
 * requests, runs handlers and deduplicates.
 *
 * {@includeCode ../test/documented/verify-webhook.ts#verify}
 */
export function verifyWebhook(options: VerifyWebhookOptions): Delivery {
  // An untyped program may pass a value that is not an object.
  const given = Object(options) as VerifyWebhookOptions;
  // Ignore other fields, because callers may spread a whole request into the options: `{ ...request, secrets }`.
  checkNames(given, ['secrets', 'body', 'headers', ...LIMITS], '');
  return verifyDelivery(() => toSigners(given.secrets), given, toLimits(given));
}
