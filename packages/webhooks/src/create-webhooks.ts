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

/** What {@link createWebhooks} takes. */
export interface WebhooksOptions extends VerificationLimits, RequestLimits, DispatchOptions, AnswerOptions {
  /** The endpoint's signing secret; during a rotation both, the current one first; or a function that gives them. */
  secrets: SecretSource;
}

/** What {@link Webhooks.check} gives. */
export type CheckResult = { ok: true; delivery: Delivery } | { ok: false; error: WebhookError };

/** A receiver of the service's webhooks. */
export interface Webhooks extends Dispatcher {
  /** Verifies a message whose raw body is at hand, and gives its typed event; throws {@link WebhookError}. */
  verify(message: WebhookMessage): Delivery;
  /** As {@link Webhooks.verify}, with the refusal as a value. */
  check(message: WebhookMessage): CheckResult;
  /** Verifies the bytes only: they need be neither UTF-8 nor JSON. */
  verifySignature(message: WebhookMessage): VerifiedSignature;
  /** Reads a request, up to `maxBodyBytes`, and verifies it. Rejects with {@link WebhookError}. */
  verifyRequest(request: WebhookRequest): Promise<Delivery>;
  /** Verifies and dispatches a request, and says what to answer: what `fetch` and every framework's entry are made of. */
  handle(request: WebhookRequest): Promise<WebhookAnswer>;
  /**
   * Verifies, dispatches and answers a Fetch request: a handler for Workers, Hono, Next routes, Bun and Deno.
   * 200 where it was handled, is not handled or was handled before; 409 while a twin is being handled; 4xx for a refusal; 500 where a handler throws.
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
