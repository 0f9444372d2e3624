import type { HttpBindings } from '@hono/node-server';
import { REQUEST_BODY_MAX_BYTES } from '@svc/contract';
import type { Context } from 'hono';
import { unstorablePart } from '../domain/storable-json.ts';
import { ApiError, validation } from './errors.ts';

/**
 * Reads a JSON request body, and stops as soon as it exceeds the cap.
 *
 * @throws 415 where the content type is not JSON or the bytes are encoded once more, 413 over the cap (1 MiB).
 */
export async function readBody(c: Context, maxBytes: number = REQUEST_BODY_MAX_BYTES): Promise<Uint8Array> {
  const { headers } = c.req.raw;
  const problem = formProblem(headers);
  // A type that is named is checked, even where no body follows.
  if (problem && headers.has('content-type')) throw problem;
  const chunks: Uint8Array[] = [];
  for await (const chunk of capped(headers, () => sentBody(c), maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Checks the form and the size of a body that nobody asked for, and forgets it. An empty one may be of any type: many
 * clients name one whenever they POST.
 *
 * @throws 415 and 413 as {@link readBody} does.
 */
export async function passOverBody(c: Context): Promise<undefined> {
  const chunks = capped(c.req.raw.headers, () => sentBody(c), REQUEST_BODY_MAX_BYTES);
  while (!(await chunks.next()).done);
}

/** The body as it was sent: the socket's, where there is one, which stays open for the answer. A GET's `Request` has none. */
function sentBody(c: Context): ByteChunks {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!incoming) return c.req.raw.body ?? [];
  if (!announcesBody(incoming.headers)) return [];
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/** Whether an HTTP/1.1 request says that a body follows its headers. */
export function announcesBody(headers: NodeJS.Dict<string | string[]>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The body is taken from the socket only where its headers are in order; else the socket drains by itself. */
async function* capped(headers: Headers, open: () => ByteChunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  const problem = formProblem(headers);
  // The rest of the body stands before the next request.
  const tooLarge = new ApiError('PAYLOAD_TOO_LARGE', `The body exceeds ${maxBytes} bytes.`, { Connection: 'close' });
  const announced = Number(headers.get('content-length') ?? 0);
  if (problem && announced > 0) throw problem;
  if (announced > maxBytes) throw tooLarge;
  let size = 0;
  for await (const chunk of open()) {
    size += chunk.byteLength;
    if (problem && size > 0) throw problem;
    if (size > maxBytes) throw tooLarge;
    yield chunk;
  }
}

/** What is wrong with the form of a body, unless it is empty. */
function formProblem(headers: Headers): ApiError | undefined {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type)) {
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return undefined;
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.', {
    'Accept-Encoding': 'identity',
  });
}

/**
 * @throws 400 `VALIDATION` where the bytes are not JSON in UTF-8, or a text holds what PostgreSQL cannot keep: what is
 * taken is the same on every database.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw validation('The body is empty; send a JSON object.');
  const { text, value } = decodeJson(bytes);
  const problem = unstorablePart(text, value);
  if (problem !== undefined) throw validation(`The body ${problem}.`);
  return value;
}

function decodeJson(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw validation('The body is not valid JSON.');
  }
}
