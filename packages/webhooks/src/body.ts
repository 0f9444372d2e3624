import { WebhookError } from './error.ts';

/** The body of a request as it came, before any parsing. Bytes are best: text has been decoded once already. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Sees to it that a body is raw and not larger than `maxBytes`, and gives its bytes, not copied. */
export function toRawBody(body: WebhookBody, maxBytes: number): Uint8Array {
  let given = body;
  if (typeof given === 'string') {
    // A lone surrogate has no bytes.
    if (!given.isWellFormed()) throw bodyNotUtf8(false);
    given = new TextEncoder().encode(given);
  }
  try {
    // By what only a buffer lets be done: one of another realm (a worker, a test runner's sandbox) is no instance of this one's class,
    // parsed JSON can have every name, and one that was transferred has no bytes any more.
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(given) ? given : new DataView(given);
    given = new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    throw bodyNotRaw();
  }
  checkSize(given.length, maxBytes);
  return given;
}

/** Throws where a body is larger than the receiver reads. */
export function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new WebhookError('body_too_large', 413, `over ${maxBytes}; raise maxBodyBytes?`);
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8, or throws: a lossy decoder turns altered bytes into U+FFFD and lets them pass. */
export function decodeBody(raw: Uint8Array, authenticated: boolean): string {
  try {
    return decoder.decode(raw);
  } catch {
    throw bodyNotUtf8(authenticated);
  }
}

function bodyNotUtf8(authenticated: boolean): WebhookError {
  return new WebhookError('body_not_utf8', 400, 'pass the body on as it came', { authenticated });
}

/** The error about a body that somebody parsed, decoded or took away: its bytes, over which the signature goes, are gone. */
export function bodyNotRaw(): WebhookError {
  return new WebhookError(
    'body_not_raw',
    500,
    'pass the body on as it came: express.raw(), no Koa or Next bodyParser, no setEncoding(), fastify plugin',
  );
}
