import { explain, isDebug } from './debug.ts';
import type { Delivery, VerifiedSignature } from './delivery.ts';
import { createDispatcher, type Dispatcher, type DispatchOptions } from './dispatcher.ts';
import { WebhookError } from './error.ts';
import { LIMITS, toLimits, type VerificationLimits } from './limits.ts';
import { checkFunction, checkNames, checkOption } from './option-checks.ts';
import type { FetchRequest, FetchResponse } from './platform.ts';
import {
  type BufferedRequest,
  checkContentTypes,
  type RequestLimits,
  readRequest,
  type WebhookRequest,
} from './request.ts';
import { createHandle, type ExecutionContext, type ResponseOptions, type WebhookResponse } from './response.ts';
import { askForSecrets, loadSigners, type SecretSource } from './secret-source.ts';
import { toSigners } from './signers.ts';
import { verifyDelivery, verifyMessage, type WebhookMessage } from './verify-message.ts';

/** Options for {@link createWebhooks}. */
export interface WebhooksOptions<Context = unknown>
  extends VerificationLimits,
    RequestLimits,
    DispatchOptions<Context>,
    ResponseOptions {
  /**
   * The endpoint's signing secret, or a function that returns the secret, for example the secret for the request's
   * path. During a rotation, pass an array with the current secret first. Secrets are checked when a request needs
   * them. Without a valid secret, each request fails with 500, and `console.error` says why.
   */
  secrets: SecretSource;
  /**
   * Whether the receiver logs details with `console.debug`: the reason for each rejected request, the duration of each
   * handler, and each delivery without a handler. The details never contain a secret. By default, `SVC_DEBUG=1` in the
   * environment turns this option on.
   */
  debug?: boolean | undefined;
}

const NAMES: (keyof WebhooksOptions)[] = [
  'secrets',
  ...LIMITS,
  'contentTypes',
  'dedupeLifetimeSeconds',
  'dedupeLeaseSeconds',
  'dedupe',
  'onUnknown',
  'onReject',
  'onError',
  'context',
  'ack',
  'debug',
];

/** The result of {@link Webhooks.check}. */
export type CheckResult = { ok: true; delivery: Delivery } | { ok: false; error: WebhookError };

/** A receiver of the service's webhooks. `Context` is the type of the handlers' third argument. */
export interface Webhooks<Context = unknown> extends Dispatcher<Context> {
  /** When the receiver responds: after the handlers have finished, or without waiting for them. */
  readonly ack: 'after' | 'first';
  /**
   * Verifies a message with its raw body, and returns the delivery with its typed event. Throws {@link WebhookError}.
   */
  verify(message: WebhookMessage | BufferedRequest): Delivery;
  /** Like {@link Webhooks.verify}, but returns the error instead of throwing it. */
  check(message: WebhookMessage | BufferedRequest): CheckResult;
  /** Verifies only the headers and the signature. The body does not have to be UTF-8 or JSON. */
  verifySignature(message: WebhookMessage | BufferedRequest): VerifiedSignature;
  /** Reads a request, up to `maxBodyBytes`, and verifies it. Rejects with {@link WebhookError}. */
  verifyRequest(request: WebhookRequest): Promise<Delivery>;
  /**
   * Verifies and dispatches a request, and returns the response. `fetch` and the handlers for all frameworks use this
   * method.
   */
  handle(request: WebhookRequest, context?: Context, execution?: ExecutionContext): Promise<WebhookResponse>;
  /**
   * Verifies and dispatches a Fetch request, and returns the response. You can use this method as a handler in Workers,
   * Hono, Next routes, Bun and Deno. The status is 200 if this request or an earlier request handled the event, or if
   * the event has no handler. The status is 409 while another copy of the delivery is being handled, 4xx for a rejected
   * request, and 500 if a handler throws or the receiver is misconfigured.
   *
   * `context` is passed to handlers as their third argument, for example the `env` of a Worker. For `ack: 'first'`,
   * pass the object that has `waitUntil`, either as `context` or as the argument after `context`.
   */
  fetch(request: FetchRequest, context?: Context, execution?: ExecutionContext): Promise<FetchResponse>;
}

/**
 * Creates a receiver. Throws `RangeError` immediately if a limit is not a positive integer, and `TypeError` if an
 * option is unknown or another option is invalid. Secrets are checked only when a request needs them, so that you can
 * build your program without its environment variables. The receiver's methods do not use `this`, so you can pass them
 * on as functions. For a bad message, the methods throw only {@link WebhookError}. An error from your own function
 * (`now`, `secrets`, a handler) is thrown unchanged.
 *
 * {@includeCode ../test/documented/create-webhooks.ts#create}
 */
export function createWebhooks<Context = unknown>(options: WebhooksOptions<Context>): Webhooks<Context> {
  checkNames(options, NAMES);
  const { secrets, ack = 'after', contentTypes = ['application/json'] } = options;
  const limits = toLimits(options);
  if (typeof limits.now !== 'number') checkFunction('now', limits.now);
  for (const name of ['onUnknown', 'onReject', 'onError'] as const)
    if (options[name]) checkFunction(name, options[name]);
  checkOption(['after', 'first'].includes(ack), 'ack must be after or first');
  checkContentTypes(contentTypes);
  const debug = isDebug(options.debug);
  const dispatcher = createDispatcher<Context>(options, debug);
  /**
   * Returns the signers, or `false` if `secrets` is a function. Throws if a secret is invalid. So with an invalid
   * secret, each request fails before its body is read.
   */
  const checked = () => typeof secrets !== 'function' && toSigners(secrets);
  const rejection = (error: unknown, message?: BufferedRequest) => {
    if (debug) explain(error, secrets, message);
    return error;
  };
  const verifyBy = <Result>(verifier: Verifier<Result>, message: BufferedRequest): Result => {
    try {
      const signers = checked();
      return verifier(() => signers || loadSigners(secrets, message), message, limits);
    } catch (error) {
      throw rejection(error, message);
    }
  };
  const verify = (message: BufferedRequest) => verifyBy(verifyDelivery, message);
  const verifyRequest = async (request: WebhookRequest) => {
    let message: BufferedRequest | undefined;
    try {
      checked();
      message = await readRequest(request, limits, contentTypes);
      const signers = toSigners(await askForSecrets(secrets, message));
      return verifyDelivery(() => signers, message, limits);
    } catch (error) {
      throw rejection(error, message);
    }
  };
  const handle = createHandle<Context>(options, verifyRequest, dispatcher.dispatch);
  return {
    ...(dispatcher as Dispatcher<Context>),
    ack,
    verify,
    check(message) {
      try {
        return { ok: true, delivery: verify(message) };
      } catch (error) {
        if (WebhookError.is(error)) return { ok: false, error };
        throw error;
      }
    },
    verifySignature: (message) => verifyBy(verifyMessage, message)[0],
    verifyRequest,
    handle,
    async fetch(...given) {
      const { body, ...init } = await handle(...given);
      return new Response(body, init);
    },
  };
}

type Verifier<Result> = (
  signers: Parameters<typeof verifyMessage>[0],
  message: BufferedRequest,
  limits: Parameters<typeof verifyMessage>[2],
) => Result;
