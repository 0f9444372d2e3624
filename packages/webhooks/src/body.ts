import { WebhookError } from './error.ts';
import { isString } from './option-checks.ts';

/** The raw body of a request, before any parsing. Prefer bytes, because a string has already been decoded. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** Checks that a body is raw and not larger than `maxBytes`. Returns strings unchanged, and does not copy bytes. */
export function toRawBody(body: WebhookBody, maxBytes: number): string | Uint8Array {
  if (isString(body)) {
    // UTF-8 cannot encode a lone surrogate, so the string cannot be the body that was sent.
    if (!body.isWellFormed()) throw bodyNotUtf8(false);
    // UTF-8 needs at most three bytes per UTF-16 unit, so a string of at most `maxBytes / 3` units always fits.
    if (body.length * 3 > maxBytes) checkSize(new Blob([body]).size, maxBytes);
    return body;
  }
  let bytes: Uint8Array;
  try {
    // Unlike `instanceof`, this code also accepts buffers from another realm, such as a test runner's sandbox. The code
    // throws for a transferred buffer, which has lost its bytes. It also throws for parsed JSON, even if the JSON has
    // the properties of a buffer.
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(body) ? body : new DataView(body);
    bytes = new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    throw bodyNotRaw();
  }
  checkSize(bytes.length, maxBytes);
  return bytes;
}

export function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new WebhookError('body_too_large', 413, `Raise maxBodyBytes above ${maxBytes}.`);
}

let decoder: TextDecoder | undefined;

/**
 * Returns a body as a string. Throws if the body is not UTF-8, because a lossy decoder would replace invalid bytes with
 * U+FFFD and accept the body.
 */
export function decodeBody(raw: string | Uint8Array, authenticated: boolean): string {
  if (isString(raw)) return raw;
  // Jest's jsdom has no `TextDecoder`, but runs in Node, so use Node's `TextDecoder`.
  decoder ??= new (globalThis.TextDecoder ?? process.getBuiltinModule('node:util').TextDecoder)('utf-8', {
    fatal: true,
    ignoreBOM: true,
  });
  try {
    return decoder.decode(raw);
  } catch {
    throw bodyNotUtf8(authenticated);
  }
}

function bodyNotUtf8(authenticated: boolean): WebhookError {
  return new WebhookError('body_not_utf8', 400, 'Pass the body on unchanged.', { authenticated });
}

/** The error for a body that was parsed, decoded or transferred. The signed bytes of such a body are lost. */
export function bodyNotRaw(): WebhookError {
  return new WebhookError(
    'body_not_raw',
    500,
    'Verify before express.json(), or use express.raw() or the fastify plugin. Avoid bodyParser and setEncoding().',
  );
}
