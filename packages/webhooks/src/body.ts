import { WebhookError } from './error.ts';

/** The body of a request as it came, before any parsing. Bytes are best: text has been decoded once already. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Sees to it that a body is raw and not larger than `maxBytes`, and gives it as text or as bytes, not copied. */
export function toRawBody(body: WebhookBody, maxBytes: number): string | Uint8Array {
  if (typeof body === 'string') {
    if (!body.isWellFormed()) throw bodyNotUtf8(false);
    // A character takes up to three bytes: only a text near the bound is counted exactly.
    if (body.length * 3 > maxBytes) checkSize(new TextEncoder().encode(body).length, maxBytes);
    return body;
  }
  // By its tag: a buffer of another realm (a worker, a test runner's sandbox) is no instance of this one's class, and parsed
  // JSON, which may come from anybody, can have every name but no symbol.
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]';
  if (!isBuffer && !ArrayBuffer.isView(body)) throw bodyNotRaw();
  checkSize(body.byteLength, maxBytes);
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : (body as Uint8Array);
}

/** Throws where a body is larger than the receiver reads. */
export function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new WebhookError('body_too_large', 413, `over ${maxBytes}; raise maxBodyBytes if you need more`);
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
  return new WebhookError('body_not_utf8', 400, 'pass the body on as it came', { authenticated });
}

/** The error about a body that somebody parsed: its bytes, over which the signature goes, are gone. */
export function bodyNotRaw(): WebhookError {
  return new WebhookError(
    'body_not_raw',
    500,
    'pass the body on as it came: express.raw() before express.json(), no parser in Koa, bodyParser: false in Next pages, ' +
      '@svc/webhooks/fastify, or the Request',
  );
}
