import { REQUEST_BODY_MAX_BYTES } from '@svc/contract';
import type { Context } from 'hono';
import { parseLimitedJson } from '../domain/json-limits.ts';
import { ImportError, type ImportFormat } from '../domain/profiles/profile-import.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { bytesByChunks, letBodyTakeItsTime } from './arriving-bodies.ts';
import { ApiError, validation } from './errors.ts';
import { incomingOf } from './incoming.ts';

/** @throws 415 for a content encoding or a type other than JSON, and 413 for a body of more than `maxBytes`. */
export async function readBody(c: Context, maxBytes = REQUEST_BODY_MAX_BYTES): Promise<Uint8Array> {
  const { headers } = c.req.raw;
  // Check the type even if there is no body.
  if (headers.has('content-type')) expectJson(headers);
  return await readOptionalBody(c, maxBytes);
}

/** Like {@link readBody}, but an empty body may have any content type: many clients set a type on every POST. */
export async function readOptionalBody(c: Context, maxBytes = REQUEST_BODY_MAX_BYTES): Promise<Uint8Array> {
  const { headers } = c.req.raw;
  const incoming = incomingOf(c);
  const announced = Number(headers.get('content-length') ?? 0);
  if (announced > 0) expectJson(headers);
  if (announced > maxBytes) throw tooLarge(`The body exceeds ${maxBytes} bytes.`);
  const body = new GrowingBuffer(maxBytes);
  for await (const chunk of sentBody(c)) {
    if (body.length === 0 && chunk.byteLength > 0) expectJson(headers);
    if (body.length + chunk.byteLength > maxBytes) throw tooLarge(`The body exceeds ${maxBytes} bytes.`);
    if (incoming && bytesByChunks(incoming) > maxBytes) throw tooLarge(SMALL_CHUNKS);
    body.append(chunk);
  }
  return body.take();
}

const SMALL_CHUNKS =
  'The body has too many small chunks; send the body in larger chunks. A chunk counts as at least 64 bytes.';

/** Closes the connection: to keep the connection open, the server would have to read the rest of the body. */
const tooLarge = (message: string) => new ApiError('PAYLOAD_TOO_LARGE', message, { Connection: 'close' });

/** Reads the body from the socket, because a GET's `Request` has no body. The socket stays open for the response. */
function sentBody(c: Context): ByteChunks {
  const incoming = incomingOf(c);
  if (!incoming) return c.req.raw.body ?? [];
  if (!announcesBody(incoming.headers)) return [];
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

export function announcesBody(headers: NodeJS.Dict<string | string[]>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

function expectJson(headers: Headers): void {
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(headers))) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  expectPlain(headers);
}

function expectPlain(headers: Headers): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.', {
    'Accept-Encoding': 'identity',
  });
}

export const mediaTypeOf = (headers: Headers): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Rejects strings that PostgreSQL cannot store, so that the server accepts the same bodies with every database. */
export function parseJson(bytes: Uint8Array, nodesMax?: number): unknown {
  if (bytes.length === 0) throw validation('The body is empty; send a JSON object.');
  const parsed = parseLimitedJson(bytes, nodesMax);
  if ('problem' in parsed) throw validation(`The body ${parsed.problem}.`);
  return parsed.value;
}

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
};

export const STREAM_SILENCE_MS = 60_000;

export interface StreamedBody {
  format: ImportFormat;
  chunks: AsyncIterable<Uint8Array>;
}

/** Opens a body of any length. Limits the time without data, but not the total time. */
export function openStreamedBody(c: Context): StreamedBody {
  const { headers } = c.req.raw;
  const format = FORMATS[mediaTypeOf(headers)];
  if (!format) {
    const message =
      'Send one profile on each line with "Content-Type: application/x-ndjson", or a JSON array with "Content-Type: application/json".';
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  expectPlain(headers);
  const incoming = incomingOf(c);
  if (incoming) letBodyTakeItsTime(incoming);
  return { format, chunks: readPatiently(sentBody(c)) };
}

/** @throws {@link ImportError} if the sender disconnects, or sends no data for a minute. */
async function* readPatiently(chunks: ByteChunks): AsyncGenerator<Uint8Array> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const silence = Promise.withResolvers<never>();
      timer = setTimeout(() => silence.reject(new ImportError('No data arrived for a minute.')), STREAM_SILENCE_MS);
      const next = await Promise.race([iterator.next(), silence.promise]);
      clearTimeout(timer);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('The body was cut off.', { cause: error });
  } finally {
    clearTimeout(timer);
    // Do not await `return`: its promise resolves only after the next byte, which a silent sender may never send.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
