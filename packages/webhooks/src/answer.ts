import type { Delivery } from './delivery.ts';
import type { DispatchOutcome } from './dispatcher.ts';
import { WebhookError } from './error.ts';
import { checkFunction } from './option-checks.ts';
import type { WebhookRequest } from './request.ts';

/** The answer to a request, independent of any framework. */
export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON: `{"outcome": …}`, with `code` and `message` if the request was rejected. The service keeps it in the delivery's log. */
  body: string;
}

/** Options of answering. */
export interface AnswerOptions {
  /** Called for each rejected request. The default logs mistakes of the receiver itself (status 500 or more) with `console.error`. */
  onReject?: ((error: WebhookError, request: WebhookRequest) => unknown) | undefined;
  /** Called with the error of a handler, or with the error that stopped reading a request. The default is `console.error`. */
  onError?: ((error: unknown, delivery: Delivery | undefined) => unknown) | undefined;
}

/** Throws `TypeError` if a callback is not a function. */
export function checkAnswerOptions({ onReject, onError }: AnswerOptions): void {
  if (onReject) checkFunction('onReject', onReject);
  if (onError) checkFunction('onError', onError);
}

/** Verifies and dispatches a request, and returns the answer. Never rejects. Logs the error of a callback with `console.error`. */
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
      // Log the receiver's own mistakes, such as a bad secret. But strangers must not be able to fill the console.
      if (options.onReject) await told(() => options.onReject?.(error, request));
      else if (status > 499) console.error(error);
      // Do not tell the sender about mistakes of the receiver. The log has them.
      const message = status < 500 ? error.message : code;
      return toAnswer(status, { outcome: 'rejected', code, message }, status === 405 ? { allow: 'POST' } : {});
    }
    await told(() => (options.onError ?? console.error)(error, delivery));
    return toAnswer(500, { outcome: 'failed' });
  }
}

/** Runs a callback. Its error does not change the answer. */
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
