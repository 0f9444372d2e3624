import { bodyNotRaw, type WebhookBody } from './body.ts';
import { collectBytes } from './collect-bytes.ts';
import { WebhookError } from './error.ts';
import type { NodeRequest } from './node-request.ts';
import { isString } from './option-checks.ts';

/** Reads the body of a Fetch request. Throws if the body is larger than `maxBytes`. */
export async function readFetchBody(request: Request, maxBytes: number): Promise<WebhookBody> {
  if (request.bodyUsed || request.body?.locked) throw bodyAlreadyRead();
  return request.body ? collectBytes(request.body, maxBytes) : '';
}

/**
 * The Node requests that this module has begun to read. The module needs this set, because `readableDidRead` is false
 * until the first bytes have been read.
 */
const begun = /* @__PURE__ */ new WeakSet<NodeRequest>();

/**
 * Returns the body of a Node request: the raw body that a parser kept, or otherwise the bytes of the stream, up to
 * `maxBytes`. If other code has already read the stream, returns the parser's body, which must be bytes or a string.
 */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<WebhookBody> {
  if (isRaw(request.rawBody)) return request.rawBody;
  // Keep the socket open: if the body is too large, the response still has to be sent over this socket.
  if (!request.readableDidRead && !begun.has(request)) {
    begun.add(request);
    return collectBytes(request.iterator({ destroyOnReturn: false }), maxBytes);
  }
  if (isRaw(request.body)) return request.body;
  throw request.body === undefined ? bodyAlreadyRead() : bodyNotRaw();
}

function isRaw(body: unknown): body is string | Uint8Array {
  return isString(body) || ArrayBuffer.isView(body);
}

/** The error for a request whose body has already been read. A stream can be read only once. */
function bodyAlreadyRead(): WebhookError {
  return new WebhookError('body_already_read', 500, 'Verify the request before other code reads it.');
}
