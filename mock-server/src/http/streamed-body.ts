import type { Context } from 'hono';
import { ImportError } from '../domain/profiles/import-error.ts';
import type { ImportFormat } from '../domain/profiles/import-result.ts';
import { encodingProblem, mediaTypeOf } from './body.ts';
import { ApiError } from './errors.ts';
import { incomingOf } from './incoming.ts';
import { letBodyTakeItsTime } from './long-bodies.ts';

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
};

/** How long the sender of a stream may be silent. */
export const STREAM_SILENCE_MS = 60_000;

/** A request body that is read while it arrives. */
export interface StreamedBody {
  format: ImportFormat;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens a body of any length. The body may take any time to arrive, but its sender must not be silent for a minute.
 *
 * @throws 415 if the body is neither JSON nor NDJSON, or has a content encoding.
 */
export function openStreamedBody(c: Context): StreamedBody {
  const { headers } = c.req.raw;
  const format = FORMATS[mediaTypeOf(headers)];
  if (!format) {
    const message = 'Send the profiles as "Content-Type: application/x-ndjson", one on each line, or as a JSON array.';
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  const problem = encodingProblem(headers);
  if (problem) throw problem;
  const incoming = incomingOf(c);
  if (incoming) letBodyTakeItsTime(incoming);
  const chunks = incoming ? incoming.iterator({ destroyOnReturn: false }) : (c.req.raw.body ?? []);
  return { format, chunks: readPatiently(chunks as AsyncIterable<Uint8Array> | Iterable<Uint8Array>) };
}

async function* readPatiently(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  try {
    for (;;) {
      const next = await orSilence(iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Do not await this call, because it would wait for the next byte of a silent sender.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Waits for the next chunk. @throws {@link ImportError} if the sender disconnects or is silent. */
async function orSilence<Result>(next: Result | Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ImportError('No data arrived for a minute.')), STREAM_SILENCE_MS);
  });
  try {
    return await Promise.race([next, silence]);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('The body was cut off.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
