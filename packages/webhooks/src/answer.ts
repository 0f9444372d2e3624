import type { Delivery } from './delivery.ts';
import type { DispatchOutcome } from './dispatcher.ts';
import { WebhookError } from './error.ts';
import { checkFunction } from './option-checks.ts';
import type { WebhookRequest } from './request.ts';

/** What to answer to a request, in no framework's terms. */
export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON: `{"outcome": …}`, and `code` and `message` of a refusal. The service keeps it in the delivery's log. */
  body: string;
}

/** Options of answering. */
export interface AnswerOptions {
  /** Is told of each request that is refused. Unless it is given, refusals with a status of 500 or more, the receiver's own mistakes, go to `console.error`. */
  onReject?: ((error: WebhookError, request: WebhookRequest) => unknown) | undefined;
  /** Is told of what a handler threw, and of what kept a request from being read. Goes to `console.error` unless given. */
  onError?: ((error: unknown, delivery: Delivery | undefined) => unknown) | undefined;
}

/** Throws `TypeError` if a callback is not a function. */
export function checkAnswerOptions({ onReject, onError }: AnswerOptions): void {
  if (onReject) checkFunction('onReject', onReject);
  if (onError) checkFunction('onError', onError);
}

/** Verifies and dispatches a request, and returns the answer. Never rejects: what a callback throws goes to `console.error`. */
export async function answer(
  request: WebhookRequest,
  options: AnswerOptions,
  verify: (request: WebhookRequest) => Promise<Delivery>,
  dispatch: (delivery: Delivery) => Promise<DispatchOutcome>,
): Promise<WebhookAnswer> {
  let delivery: Delivery | undefined;
  try {
    delivery = await verify(request);
    const outcome = await dispatch(delivery);
    return outcome === 'busy' ? toAnswer(409, { outcome }, { 'retry-after': '60' }) : toAnswer(200, { outcome });
  } catch (error) {
    if (!delivery && WebhookError.is(error)) {
      const { status, code } = error;
      // A receiver's own mistake (a parsed body, a bad secret) is not kept from it; what strangers send does not fill the console.
      if (options.onReject) await told(() => options.onReject?.(error, request));
      else if (status > 499) console.error(error);
      // What is wrong on the receiver's side is for the receiver; it was told above.
      const message = status < 500 ? error.message : code;
      return toAnswer(status, { outcome: 'rejected', code, message }, status === 405 ? { allow: 'POST' } : {});
    }
    await told(() => (options.onError ?? console.error)(error, delivery));
    return toAnswer(500, { outcome: 'failed' });
  }
}

/** The answer does not depend on who is told of it. */
async function told(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    console.error(error);
  }
}

function toAnswer(status: number, body: object, headers: Record<string, string> = {}): WebhookAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
