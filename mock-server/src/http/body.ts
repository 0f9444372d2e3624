import { REQUEST_BODY_MAX_BYTES } from '@svc/contract';
import { ApiError, validation } from './errors.ts';

/**
 * Reads a JSON request body, and stops as soon as it exceeds the cap.
 *
 * @throws 415 where the content type is not JSON, 413 over 1 MiB.
 */
export async function readBody(request: Request, maxBytes: number = REQUEST_BODY_MAX_BYTES): Promise<Uint8Array> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const isJson = type !== undefined && /^application\/(?:[\w.-]+\+)?json$/.test(type);
  const notJson = new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON, with "Content-Type: application/json".',
  );
  if (type !== undefined && !isJson) throw notJson;
  const tooLarge = new ApiError('PAYLOAD_TOO_LARGE', `The body exceeds ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge;
    // An empty body needs no type.
    if (type === undefined && size > 0) throw notJson;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @throws 400 `VALIDATION` where the bytes are not JSON in UTF-8, or a text holds U+0000: PostgreSQL cannot keep it, and
 * what is taken is the same on every database.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw validation('The body is empty; send a JSON object.');
  const { text, value } = decodeJson(bytes);
  if (ESCAPED_NUL.test(text)) throw validation('The body holds the character U+0000, which cannot be kept.');
  return value;
}

/** An escape of U+0000 whose backslash is not itself escaped; JSON holds the character in no other way. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

function decodeJson(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw validation('The body is not valid JSON.');
  }
}
