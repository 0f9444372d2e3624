import { bodyNotRaw, type WebhookBody } from './body.ts';
import { collectBytes } from './collect-bytes.ts';
import { WebhookError } from './error.ts';
import type { NodeRequest } from './node-request.ts';

/** Reads the body of a Fetch request, no more of it than `maxBytes`. */
export async function readFetchBody(request: Request, maxBytes: number): Promise<WebhookBody> {
  if (request.bodyUsed || request.body?.locked) throw bodyAlreadyRead();
  return request.body ? collectBytes(request.body, maxBytes) : '';
}

/** The Node requests that are being read, or were: a stream tells only once its first bytes have come. */
const begun = /* @__PURE__ */ new WeakSet<NodeRequest>();

/** Gives the body of a Node request: what is left of it by those who read it before, or else the stream, up to `maxBytes`. */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<WebhookBody> {
  if (isRaw(request.rawBody)) return request.rawBody;
  // The socket stays: the refusal of a body that is too large has to go back on it.
  if (!request.readableDidRead && !begun.has(request)) {
    begun.add(request);
    return collectBytes(request.iterator({ destroyOnReturn: false }), maxBytes);
  }
  if (isRaw(request.body)) return request.body;
  throw request.body === undefined ? bodyAlreadyRead() : bodyNotRaw();
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || ArrayBuffer.isView(body);
}

/** A stream is read once. */
function bodyAlreadyRead(): WebhookError {
  return new WebhookError(
    'body_already_read',
    500,
    'Verify the request before anything reads it, and use delivery.event.',
  );
}
