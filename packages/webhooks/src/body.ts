import { WebhookError } from './error.ts';

/** The body of a request as it came, before any parsing. Bytes are best: text has been decoded once already. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Sees to it that a body is raw and not larger than `maxBytes`, and gives it as text or as bytes, not copied. */
export function toRawBody(body: WebhookBody, maxBytes: number): string | Uint8Array {
  if (typeof body !== 'string') return checkLength(toBytes(body), maxBytes);
  if (!body.isWellFormed()) throw bodyNotUtf8(false);
  // A character takes up to three bytes: only a text near the bound is counted exactly.
  if (body.length * 3 > maxBytes) checkLength(new TextEncoder().encode(body), maxBytes);
  return body;
}

function checkLength(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  throw bodyTooLarge(maxBytes);
}

/** Told by their names: bytes of another realm (a worker, a test runner's sandbox) are no instances of this one's classes. */
function toBytes(body: Uint8Array | ArrayBuffer): Uint8Array {
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body?.constructor?.name === 'ArrayBuffer') return new Uint8Array(body);
  throw bodyNotRaw();
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8, or throws: a lossy decoder turns altered bytes into U+FFFD and lets them pass. */
export function decodeBody(raw: string | Uint8Array, authenticated: boolean): string {
  if (typeof raw === 'string') return raw;
  try {
    return decoder.decode(raw);
  } catch {
    throw bodyNotUtf8(authenticated);
  }
}

function bodyNotUtf8(authenticated: boolean): WebhookError {
  return new WebhookError('body_not_utf8', 400, 'pass the bytes of the request on as they came', {
    authenticated,
  });
}

/** The error about a body that is larger than the receiver reads. */
export function bodyTooLarge(maxBytes: number): WebhookError {
  return new WebhookError('body_too_large', 413, `over ${maxBytes} bytes; raise maxBodyBytes if you need more`);
}

/** The error about a body that somebody parsed: its bytes, over which the signature goes, are gone. */
export function bodyNotRaw(): WebhookError {
  return new WebhookError(
    'body_not_raw',
    500,
    'pass the raw body: in Express express.raw(), before express.json(); in Koa no parser; in Next pages bodyParser: false; ' +
      'in Fastify @svc/webhooks/fastify; else the Request itself',
  );
}
