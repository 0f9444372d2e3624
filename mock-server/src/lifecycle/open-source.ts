import { constants, createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Agent, type buildConnector, request } from 'undici';
import { isUrl } from '../domain/profiles/data-source.ts';
import { ImportError } from '../domain/profiles/import-error.ts';
import type { ImportFormat } from '../domain/profiles/import-result.ts';

/** The bytes of a source and their format. */
export interface OpenedSource extends AsyncDisposable {
  chunks: AsyncIterable<Uint8Array>;
  format: ImportFormat;
}

/** Rules for opening sources. */
export interface SourceRules {
  /** Connects to allowed addresses only. */
  connect: buildConnector.connector;
  /** Why a URL may not be read, as the end of a sentence, or undefined. */
  urlProblem(url: string): string | undefined;
  /** Whether files may be read. */
  readsFiles: boolean;
  /** How long a source may be silent, in milliseconds. */
  silenceMaxMs: number;
}

/** How long a source may be silent. */
export const SILENCE_MAX_MS = 10_000;
/** The most bytes to read from a source. */
export const SOURCE_MAX_BYTES = 5 * 1024 ** 3;
const REDIRECTS_MAX = 5;

/** Opens a file or a URL. @throws {@link ImportError} if it cannot be read. */
export async function openSource(location: string, rules: SourceRules, signal: AbortSignal): Promise<OpenedSource> {
  return isUrl(location) ? await openUrl(location, rules, signal) : await openFile(location, rules);
}

async function openFile(path: string, { readsFiles }: SourceRules): Promise<OpenedSource> {
  if (!readsFiles) throw new ImportError('The strict profile reads no files.');
  try {
    // Opening a named pipe would wait for a writer. Windows has no such flag.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > SOURCE_MAX_BYTES) {
      await file.close();
      throw stats.isFile() ? tooLarge(path) : new ImportError(`${path} is not a file.`);
    }
    const stream = createReadStream(path, { fd: file, highWaterMark: 256 * 1024 });
    return {
      chunks: stream,
      format: path.endsWith('.json') ? 'json' : 'ndjson',
      [Symbol.asyncDispose]: async () => void stream.destroy(),
    };
  } catch (error) {
    throw error instanceof ImportError
      ? error
      : new ImportError(`Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function openUrl(location: string, rules: SourceRules, signal: AbortSignal): Promise<OpenedSource> {
  const agent = new Agent({
    connect: rules.connect,
    allowH2: false,
    headersTimeout: rules.silenceMaxMs,
    bodyTimeout: rules.silenceMaxMs,
  });
  try {
    const answer = await follow(location, agent, rules, signal);
    if (Number(answer.headers['content-length']) > SOURCE_MAX_BYTES) throw tooLarge(location);
    const type = String(answer.headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase();
    return {
      chunks: answer.body,
      format: type === 'application/json' ? 'json' : 'ndjson',
      [Symbol.asyncDispose]: () => agent.destroy(),
    };
  } catch (error) {
    await agent.destroy();
    signal.throwIfAborted();
    throw error instanceof ImportError
      ? error
      : new ImportError(`Cannot read ${location}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Follows redirects. Each target must be allowed, like the first URL. */
async function follow(location: string, dispatcher: Agent, rules: SourceRules, signal: AbortSignal) {
  let url = location;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const problem = rules.urlProblem(url);
    if (problem !== undefined) throw new ImportError(`Cannot read ${url}: the address ${problem}.`);
    const headers = { accept: 'application/x-ndjson, application/json', 'accept-encoding': 'identity' };
    const answer = await request(url, { dispatcher, signal, headers });
    if (answer.statusCode === 200) return answer;
    await answer.body.dump();
    const next = answer.headers['location'];
    if (answer.statusCode < 300 || answer.statusCode > 399 || typeof next !== 'string' || !URL.canParse(next, url)) {
      throw new ImportError(`Cannot read ${url}: it answered HTTP ${answer.statusCode}.`);
    }
    url = new URL(next, url).href;
  }
  throw new ImportError(`Cannot read ${location}: it redirects more than ${REDIRECTS_MAX} times.`);
}

const tooLarge = (location: string) => new ImportError(`${location} is larger than 5 GiB.`);

/**
 * The bytes of a source, up to the limit. The limit also applies if the source does not state its size.
 *
 * @throws {@link ImportError} if it is too large or breaks off.
 */
export async function* readBounded(chunks: AsyncIterable<Uint8Array>, location: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > SOURCE_MAX_BYTES) throw tooLarge(location);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`Cannot read ${location} to its end: ${reasonOf(error)}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist.',
  EACCES: 'permission denied.',
  ECONNREFUSED: 'connection refused.',
  ECONNRESET: 'connection reset.',
  UND_ERR_SOCKET: 'the connection ended early.',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time.',
  UND_ERR_BODY_TIMEOUT: 'no byte came for too long.',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time.',
};

/** Why something could not be read, as the end of a sentence. */
function reasonOf(error: unknown): string {
  const { code, message, name } = error as { code?: string; message?: string; name?: string };
  if (name === 'BlockedAddressError') return 'the address is not allowed.';
  if (name === 'UnresolvedNameError') return 'the name has no address.';
  return REASONS[code ?? ''] ?? `${message ?? String(error)}.`;
}
