import type { Delivery } from './delivery.ts';
import type { DispatchOutcome } from './dispatcher.ts';
import { WebhookError } from './error.ts';
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
  /** Is told of each request that is refused. */
  onReject?: ((error: WebhookError, request: WebhookRequest) => unknown) | undefined;
  /** Is told of what a handler threw, and of what kept a request from being read. Goes to `console.error` unless given. */
  onError?: ((error: unknown, delivery: Delivery | undefined) => unknown) | undefined;
}

/** Verifies and dispatches a request, and says what to answer. Never rejects, unless one of the two callbacks throws. */
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
      await options.onReject?.(error, request);
      const { status, code, message } = error;
      return toAnswer(status, { outcome: 'rejected', code, message }, status === 405 ? { allow: 'POST' } : {});
    }
    await (options.onError ?? console.error)(error, delivery);
    return toAnswer(500, { outcome: 'failed' });
  }
}

function toAnswer(status: number, body: object, headers: Record<string, string> = {}): WebhookAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
