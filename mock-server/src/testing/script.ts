import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptionNames } from '../config/config.ts';
import type { ReceivedRequest } from './received.ts';

/** A short form of a response. */
export interface ShortResponse {
  /** The status. Default: 204, or 200 if there is a body. */
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** A string, or a value to send as JSON. */
  body?: unknown;
  /** How long to delay the response, in real time. */
  delayMs?: number | undefined;
}

/** A short form of a response, or a function that returns the response to a request. */
export type ScriptedResponse = ShortResponse | ((request: ReceivedRequest) => Response | Promise<Response>);

/** A handler as in Next, Hono and Workers, such as `webhooks.fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * Keeps responses that are used in order. The last response repeats. A handler can respond to every request instead.
 */
export function createScript() {
  let left: ScriptedResponse[] = [];
  let handler: FetchHandler | undefined;
  return {
    respond(...responses: ScriptedResponse[]) {
      for (const response of responses) {
        if (typeof response !== 'function') checkOptionNames(response, ['status', 'headers', 'body', 'delayMs']);
      }
      left = responses;
      handler = undefined;
    },
    forward(to: FetchHandler) {
      if (typeof to !== 'function') {
        throw new TypeError('forward requires a function from a Request to a Response, such as webhooks.fetch.');
      }
      handler = to;
    },
    /** @param body - The raw bytes of the request's body. */
    async respondTo(request: ReceivedRequest, body: Uint8Array<ArrayBuffer>): Promise<Response> {
      if (handler) return await handler(toRequest(request, body));
      const response = (left.length > 1 ? left.shift() : left[0]) ?? {};
      if (typeof response === 'function') return await response(request);
      if (response.delayMs) await sleep(response.delayMs, undefined, { ref: false });
      return toResponse(response);
    },
  };
}

function toRequest({ method, url, headers }: ReceivedRequest, body: Uint8Array<ArrayBuffer>): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, body: hasBody ? body : null });
}

function toResponse({ status, headers = {}, body }: ShortResponse): Response {
  if (body === undefined) return new Response(null, { status: status ?? 204, headers });
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return new Response(isText ? body : JSON.stringify(body), {
    status: status ?? 200,
    headers: { 'content-type': type, ...headers },
  });
}
