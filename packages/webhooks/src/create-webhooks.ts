import type { Delivery, VerifiedSignature } from './delivery.ts';
import { WebhookError } from './error.ts';
import { type VerificationLimits, verifyDelivery, verifyMessage, type WebhookMessage } from './message.ts';
import { type RequestLimits, readRequest, type WebhookRequest } from './request.ts';
import { createSignerSource, type SecretSource } from './secret-source.ts';

/** What {@link createWebhooks} takes. */
export interface WebhooksOptions extends VerificationLimits, RequestLimits {
  /** The endpoint's signing secret; during a rotation both, the current one first; or a function that gives them. */
  secrets: SecretSource;
}

/** What {@link Webhooks.check} gives. */
export type CheckResult = { ok: true; delivery: Delivery } | { ok: false; error: WebhookError };

/** A receiver of the service's webhooks. */
export interface Webhooks {
  /** Verifies a message whose raw body is at hand, and gives its typed event; throws {@link WebhookError}. */
  verify(message: WebhookMessage): Delivery;
  /** As {@link Webhooks.verify}, with the refusal as a value. */
  check(message: WebhookMessage): CheckResult;
  /** Verifies the bytes only: they need be neither UTF-8 nor JSON. */
  verifySignature(message: WebhookMessage): VerifiedSignature;
  /** Reads a request, up to `maxBodyBytes`, and verifies it. Rejects with {@link WebhookError}. */
  verifyRequest(request: WebhookRequest): Promise<Delivery>;
}

/**
 * Creates a receiver. Throws {@link WebhookError} at once where a secret is bad.
 *
 * {@includeCode ../test/documented/create-webhooks.ts#create}
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const signers = createSignerSource(options.secrets);
  const verify = (message: WebhookMessage) => verifyDelivery(signers.now(), message, options);
  return {
    verify,
    check(message) {
      try {
        return { ok: true, delivery: verify(message) };
      } catch (error) {
        if (WebhookError.is(error)) return { ok: false, error };
        throw error;
      }
    },
    verifySignature: (message) => verifyMessage(signers.now(), message, options)[0],
    async verifyRequest(request) {
      const message = await readRequest(request, options);
      return verifyDelivery(await signers.later(), message, options);
    },
  };
}
