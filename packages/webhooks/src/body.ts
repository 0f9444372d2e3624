import { WebhookError } from './error.ts';

/** The body of a request as it came, before any parsing. Bytes are best: text has been decoded once already. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Checks that a body is raw and not larger than `maxBytes`. Returns text as it is, and bytes without a copy. */
export function toRawBody(body: WebhookBody, maxBytes: number): string | Uint8Array {
  if (typeof body === 'string') {
    // A lone surrogate has no bytes.
    if (!body.isWellFormed()) throw bodyNotUtf8(false);
    // A unit of text has at most three bytes, so a short text need not be encoded to know that it fits.
    if (body.length * 3 > maxBytes) checkSize(new TextEncoder().encode(body).length, maxBytes);
    return body;
  }
  let bytes: Uint8Array;
  try {
    // Only a real buffer can be viewed. One of another realm (a worker, a test runner's sandbox) is not an instance of this
    // realm's class, parsed JSON can have any property, and a transferred buffer has lost its bytes.
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(body) ? body : new DataView(body);
    bytes = new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    throw bodyNotRaw();
  }
  checkSize(bytes.length, maxBytes);
  return bytes;
}

/** Throws if a body is larger than the receiver reads. */
export function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new WebhookError('body_too_large', 413, `Raise maxBodyBytes above ${maxBytes}.`);
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body, or an error if it is not UTF-8: a lossy decoder turns altered bytes into U+FFFD and lets them pass. */
export function decodeBody(raw: string | Uint8Array, authenticated: boolean): string {
  try {
    return typeof raw === 'string' ? raw : decoder.decode(raw);
  } catch {
    throw bodyNotUtf8(authenticated);
  }
}

function bodyNotUtf8(authenticated: boolean): WebhookError {
  return new WebhookError('body_not_utf8', 400, 'Pass the body on unchanged.', { authenticated });
}

/** The error for a body that was parsed, decoded or transferred: the signed bytes are gone. */
export function bodyNotRaw(): WebhookError {
  return new WebhookError(
    'body_not_raw',
    500,
    'Use express.raw(), the fastify plugin, no bodyParser (Koa, Next), no setEncoding().',
  );
}
