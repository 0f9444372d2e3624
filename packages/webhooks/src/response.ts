import type { Delivery } from './delivery.ts';
import type { Defer, DispatchOutcome } from './dispatcher.ts';
import { WebhookError, type WebhookErrorCode } from './error.ts';
import type { WebhookRequest } from './request.ts';

/** The response to a request, independent of any framework. */
export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  /**
   * A JSON body: `{"outcome": …}`, with `code` and `message` if the request was rejected. The service stores the body
   * in the delivery's log.
   */
  body: string;
}

/**
 * The object that keeps a process alive after the response: `ctx` in Workers, or an object that wraps Next's `after`.
 */
export interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

/** Options for responses. */
export interface ResponseOptions {
  /**
   * `'after'` (the default) responds after the handlers have finished. `'first'` responds without waiting for the
   * handlers.
   *
   * With `'first'`, the receiver verifies the request, claims the delivery, starts the handlers, and responds with 200.
   * The handlers continue after the response. Use `'first'` for handlers that need more than the 10 seconds that the
   * service waits. **An event is lost if its handler throws, or if the process dies while the handler runs:** the
   * service has received the 200 and never sends the delivery again. `onError` is called with the handler's error. If
   * you must not lose events, put the events into a queue instead of using `'first'`.
   *
   * Workers and Vercel stop a program after its response, unless the program calls `waitUntil`. So the second or third
   * argument of `fetch` must be the object with `waitUntil`: `webhooks.fetch(request, env, ctx)`. Lambda has no
   * `waitUntil`, so `createLambdaHandler` throws if `ack` is `'first'`.
   */
  ack?: 'after' | 'first' | undefined;
  /**
   * Called for each rejected request. By default, each error code is logged at most once a minute: with `console.error`
   * for a mistake of the receiver itself (status 500 or more), and otherwise with `console.warn`. The log contains no
   * data that the sender chose.
   */
  onReject?: ((error: WebhookError, request: WebhookRequest) => unknown) | undefined;
  /**
   * Called with an error that a handler, the store or the `secrets` function threw. By default, `console.error` logs
   * the error with the delivery's id and event type, but without the headers.
   */
  onError?: ((error: unknown, delivery: Delivery | undefined) => unknown) | undefined;
}

/** Verifies and dispatches a request, and returns the response. */
export type Handle<Context> = (
  request: WebhookRequest,
  context?: Context,
  execution?: ExecutionContext,
) => Promise<WebhookResponse>;

/**
 * Creates the function that responds to requests. The promise that this function returns never rejects. If a callback
 * throws, the function logs the error with `console.error`.
 */
export function createHandle<Context>(
  {
    ack,
    // Log the values in an array, because the console escapes control characters only in an array.
    onError = (error, delivery) => console.error(error, [delivery?.id, delivery?.event.type]),
    onReject = createReport(),
  }: ResponseOptions,
  verify: (request: WebhookRequest) => Promise<Delivery>,
  dispatch: (delivery: Delivery, context?: Context, defer?: Defer) => Promise<DispatchOutcome | 'accepted'>,
): Handle<Context> {
  return async (request, context, execution) => {
    let delivery: Delivery | undefined;
    const failed = (error: unknown) => told(() => onError(error, delivery));
    const defer = (work: Promise<unknown>) => {
      const platform = (execution ?? context) as Partial<ExecutionContext> | undefined;
      const ended = work.catch(failed);
      platform?.waitUntil?.(ended);
    };
    const warn = () => console.warn([delivery?.event.type], "took 8 of 10 s. Queue the work, or set ack: 'first'.");
    let slow: ReturnType<typeof setTimeout> | undefined;
    try {
      delivery = await verify(request);
      // Without `ack: 'first'`, the response waits for the handlers. After 10 seconds without a response, the service
      // gives up and sends the delivery again, so log a warning after 8 seconds.
      if (ack !== 'first') slow = setTimeout(warn, 8000);
      const outcome = await dispatch(delivery, context, slow ? undefined : defer);
      return outcome === 'busy' ? toResponse(409, { outcome }, { 'retry-after': '60' }) : toResponse(200, { outcome });
    } catch (error) {
      if (!delivery && WebhookError.is(error)) {
        const { status, code } = error;
        await told(() => onReject(error, request));
        // Do not tell the sender about the receiver's own mistakes. The receiver's log has the details.
        const message = status < 500 ? error.message : code;
        return toResponse(status, { outcome: 'rejected', code, message }, status === 405 && { allow: 'POST' });
      }
      await failed(error);
      return toResponse(500, { outcome: 'failed' });
    } finally {
      clearTimeout(slow);
    }
  };
}

/**
 * Creates the default for `onReject`, which logs each error code at most once a minute, so that strangers cannot fill
 * the console.
 */
function createReport(): (error: WebhookError) => void {
  const reportedAt: { [Code in WebhookErrorCode]?: number } = {};
  return (error) => {
    const now = Date.now();
    // If there has been no report yet, the comparison is false, because its left side is not a number.
    if (now - (reportedAt[error.code] as number) < 60_000) return;
    reportedAt[error.code] = now;
    if (error.status < 500) console.warn(`Webhook rejected: ${error.message} SVC_DEBUG=1 shows more.`);
    else console.error(error);
  };
}

/** Runs a callback. An error in the callback does not change the response. */
async function told(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    console.error(error);
  }
}

function toResponse(status: number, body: object, headers?: Record<string, string> | false): WebhookResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
