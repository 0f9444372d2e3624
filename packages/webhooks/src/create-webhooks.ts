import { type AnswerOptions, answer, checkAnswerOptions, type WebhookAnswer } from './answer.ts';
import type { Delivery, VerifiedSignature } from './delivery.ts';
import { createDispatcher, type Dispatcher, type DispatchOptions } from './dispatcher.ts';
import { WebhookError } from './error.ts';
import { toLimits, type VerificationLimits } from './limits.ts';
import { verifyDelivery, verifyMessage, type WebhookMessage } from './message.ts';
import { checkFunction } from './option-checks.ts';
import type { FetchRequest, FetchResponse } from './platform.ts';
import { checkContentTypes, type RequestLimits, readRequest, type WebhookRequest } from './request.ts';
import { createSignerSource, type SecretSource } from './secret-source.ts';

/** Options of {@link createWebhooks}. */
export interface WebhooksOptions extends VerificationLimits, RequestLimits, DispatchOptions, AnswerOptions {
  /** The endpoint's signing secret, or a function that returns it. During a rotation, an array with the current one first. */
  secrets: SecretSource;
}

/** The result of {@link Webhooks.check}. */
export type CheckResult = { ok: true; delivery: Delivery } | { ok: false; error: WebhookError };

/** A receiver of the service's webhooks. */
export interface Webhooks extends Dispatcher {
  /** Verifies a message with its raw body and returns the typed event. Throws {@link WebhookError}. */
  verify(message: WebhookMessage): Delivery;
  /** Does the same as {@link Webhooks.verify}, but returns the error instead of throwing it. */
  check(message: WebhookMessage): CheckResult;
  /** Verifies only the bytes. They may be neither UTF-8 nor JSON. */
  verifySignature(message: WebhookMessage): VerifiedSignature;
  /** Reads a request, up to `maxBodyBytes`, and verifies it. Rejects with {@link WebhookError}. */
  verifyRequest(request: WebhookRequest): Promise<Delivery>;
  /** Verifies and dispatches a request, and returns the answer. `fetch` and the handlers of all frameworks use it. */
  handle(request: WebhookRequest): Promise<WebhookAnswer>;
  /**
   * Verifies, dispatches and answers a Fetch request. It is a handler for Workers, Hono, Next routes, Bun and Deno.
   * It answers 200 if the event was handled, has no handler, or was handled before. It answers 409 while another copy is
   * being handled, 4xx to a rejected request, and 500 if a handler throws.
   */
  fetch(request: FetchRequest): Promise<FetchResponse>;
}

/**
 * Creates a receiver. Throws immediately if a secret is bad ({@link WebhookError}), a number is out of bounds (`RangeError`)
 * or another option is not what it should be (`TypeError`). Its methods need no `this`. For any message, they throw only
 * {@link WebhookError}. What your own functions throw (`now`, `secrets`, a handler) passes through.
 *
 * {@includeCode ../test/documented/create-webhooks.ts#create}
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const signers = createSignerSource(options.secrets);
  const limits = toLimits(options);
  if (typeof limits.now !== 'number') checkFunction('now', limits.now);
  checkAnswerOptions(options);
  checkContentTypes(options.contentTypes);
  const dispatcher = createDispatcher(options);
  const verify = (message: WebhookMessage) => verifyDelivery(signers.now, message, limits);
  const verifyRequest = async (request: WebhookRequest) => {
    const message = await readRequest(request, limits, options.contentTypes);
    const loaded = await signers.later();
    return verifyDelivery(() => loaded, message, limits);
  };
  const handle = (request: WebhookRequest) => answer(request, options, verifyRequest, dispatcher.dispatch);
  return {
    ...dispatcher,
    verify,
    check(message) {
      try {
        return { ok: true, delivery: verify(message) };
      } catch (error) {
        if (WebhookError.is(error)) return { ok: false, error };
        throw error;
      }
    },
    verifySignature: (message) => verifyMessage(signers.now, message, limits)[0],
    verifyRequest,
    handle,
    async fetch(request) {
      const { body, ...init } = await handle(request);
      return new Response(body, init);
    },
  };
}
