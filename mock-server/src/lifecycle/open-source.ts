import { constants, createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Agent, type buildConnector, request } from 'undici';
import { isLoopbackHost } from '../domain/loopback.ts';
import { DATA_SOURCE_HEADER, isUrl, shownLocation } from '../domain/profiles/data-source.ts';
import { ImportError, type ImportFormat } from '../domain/profiles/profile-import.ts';
import { LimitedClient, type LimitedClientOptions } from '../network/limited-client.ts';
import type { ReadingTime } from '../network/parsing-time.ts';

export interface OpenedSource extends AsyncDisposable {
  /** Throws an {@link ImportError} if the source ends early, or is too large or too slow. */
  chunks: AsyncIterable<Uint8Array>;
  format: ImportFormat;
}

export interface SourceRules {
  connect: buildConnector.connector;
  /** Connects to the target of a redirect from another machine. Never connects to this machine. */
  connectRedirected: buildConnector.connector;
  /** If the server must not read a URL, returns the reason as the end of a sentence. */
  urlProblem(url: string): string | undefined;
  /** Limits the time for TLS and for parsing responses. Connections to receivers share this time. */
  readingTime: ReadingTime;
  readsFiles: boolean;
  silenceMaxMs: number;
  readMaxMs: number;
}

export const SILENCE_MAX_MS = 10_000;
export const READ_MAX_MS = 10 * 60_000;
/** The minimum average rate of a source in each {@link PACE_WINDOW_MS}. */
const PACE_MIN_BYTES_PER_S = 1024;
const PACE_WINDOW_MS = 30_000;
export const SOURCE_MAX_BYTES = 5 * 1024 ** 3;
const REDIRECTS_MAX = 5;

/**
 * @param options.owner - Identifies the workspace of the source, for {@link ReadingTime.hasTime}.
 * @throws {@link ImportError} if the source cannot be read, or if `stop` is aborted.
 */
export async function openSource(
  location: string,
  rules: SourceRules,
  { stop, owner }: { stop: AbortSignal; owner?: string },
): Promise<OpenedSource> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(rules.readMaxMs)]);
  const opened = isUrl(location) ? await openUrl(location, rules, { signal, owner }) : await openFile(location, rules);
  return { ...opened, chunks: readBounded(opened.chunks, location, signal) };
}

async function openFile(path: string, { readsFiles }: SourceRules): Promise<OpenedSource> {
  if (!readsFiles) throw new ImportError('The strict profile does not read files.');
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer. On Windows, O_NONBLOCK does not exist.
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
    throw asImportError(error, path);
  }
}

async function openUrl(
  location: string,
  rules: SourceRules,
  { signal, owner }: { signal: AbortSignal; owner: string | undefined },
): Promise<OpenedSource> {
  const connector = { connect: rules.connect };
  const clientOptions: LimitedClientOptions = {
    connect: (options, callback) => connector.connect(options, callback),
    headersTimeout: rules.silenceMaxMs,
    bodyTimeout: rules.silenceMaxMs,
  };
  const agent = new Agent({ factory: (origin) => new LimitedClient(origin, clientOptions, rules.readingTime, owner) });
  try {
    const response = await follow(location, agent, rules, { signal, connector });
    if (Number(response.headers['content-length']) > SOURCE_MAX_BYTES) throw tooLarge(location);
    // Some servers compress even if asked not to. Without this check, every line would be rejected as not UTF-8.
    if (!/^(?:identity)?$/i.test(String(response.headers['content-encoding'] ?? '').trim())) {
      throw new ImportError(`Cannot read ${shownLocation(location)}: the response is compressed (Content-Encoding).`);
    }
    const isJson = /^\s*application\/json\s*(;|$)/i.test(String(response.headers['content-type']));
    return {
      chunks: response.body,
      format: isJson ? 'json' : 'ndjson',
      [Symbol.asyncDispose]: () => agent.destroy(),
    };
  } catch (error) {
    await agent.destroy();
    throw asImportError(error, location);
  }
}

/** Only a source on this machine may redirect to this machine: a developer must have set the URL of such a source. */
async function follow(
  location: string,
  dispatcher: Agent,
  rules: SourceRules,
  { signal, connector }: { signal: AbortSignal; connector: Pick<SourceRules, 'connect'> },
) {
  let url = location;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const problem = rules.urlProblem(url);
    if (problem !== undefined) throw new ImportError(`Cannot read ${shownLocation(url)}: the address ${problem}.`);
    const headers = {
      accept: 'application/x-ndjson, application/json',
      'accept-encoding': 'identity',
      [DATA_SOURCE_HEADER]: 'sync',
    };
    const response = await request(url, { dispatcher, signal, headers });
    if (response.statusCode === 200) return response;
    // Do not read the body, which may never end.
    response.body.on('error', () => {}).destroy();
    const next = response.headers['location'];
    const isRedirect = response.statusCode >= 300 && response.statusCode <= 399;
    if (!isRedirect || typeof next !== 'string' || !URL.canParse(next, url)) {
      throw new ImportError(`Cannot read ${shownLocation(url)}: it responded with HTTP ${response.statusCode}.`);
    }
    const target = new URL(next, url);
    if (isLoopbackHost(target.hostname) && !isLoopbackHost(new URL(url).hostname)) {
      throw new ImportError(`Cannot read ${shownLocation(url)}: it redirects to the server's machine.`);
    }
    // Even a target with a different host name can resolve to this machine.
    if (!isLoopbackHost(new URL(url).hostname) && target.origin !== new URL(url).origin)
      connector.connect = rules.connectRedirected;
    url = target.href;
  }
  throw new ImportError(`Cannot read ${shownLocation(location)}: it redirects more than ${REDIRECTS_MAX} times.`);
}

const tooLarge = (location: string) => new ImportError(`${shownLocation(location)} is larger than 5 GiB.`);

const tooSlow = (location: string) =>
  new ImportError(`Cannot read ${shownLocation(location)} to its end: it sent less than 1 KiB/s for 30 s.`, {
    isTooSlow: true,
  });

/** @throws {@link ImportError} if the source is too large or too slow, or ends early, or if `stop` is aborted. */
export async function* readBounded(
  chunks: AsyncIterable<Uint8Array>,
  location: string,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let [bytes, windowBytes, waitedMs] = [0, 0, 0];
  let waitsSince = performance.now();
  try {
    for await (const chunk of chunks) {
      // Count only the time spent waiting for the source, not the time spent storing profiles.
      waitedMs += performance.now() - waitsSince;
      windowBytes += chunk.length;
      if (waitedMs >= PACE_WINDOW_MS) {
        if (windowBytes < (PACE_MIN_BYTES_PER_S * waitedMs) / 1_000) throw tooSlow(location);
        [windowBytes, waitedMs] = [0, 0];
      }
      stop.throwIfAborted();
      bytes += chunk.length;
      if (bytes > SOURCE_MAX_BYTES) throw tooLarge(location);
      yield chunk;
      waitsSince = performance.now();
    }
  } catch (error) {
    throw asImportError(error, location, ' to its end');
  }
}

function asImportError(error: unknown, location: string, howFar = ''): ImportError {
  if (error instanceof ImportError) return error;
  const { code = '', name = '', message } = error as { code?: string; name?: string; message?: string };
  const unresolved = name === 'UnresolvedNameError' ? message : undefined;
  const reason = unresolved ?? REASONS[name] ?? REASONS[code] ?? `${message ?? String(error)}.`;
  const isTooSlow = name === 'TimeoutError' || /^UND_ERR_\w+_TIMEOUT$/.test(code);
  return new ImportError(`Cannot read ${shownLocation(location)}${howFar}: ${reason}`, { cause: error, isTooSlow });
}

const INVALID_RESPONSE = 'its response is not valid HTTP.';

/** The reasons why a source could not be read, keyed by the name or code of the error. */
const REASONS: Readonly<Record<string, string>> = {
  BlockedAddressError: 'the address is not allowed.',
  ResponseTooLargeError: 'the headers or trailers of its response are too large.',
  OtherProtocolError: INVALID_RESPONSE,
  TimeoutError: 'it took longer than ten minutes.',
  ENOENT: 'it does not exist.',
  EACCES: 'permission denied.',
  ECONNREFUSED: 'connection refused.',
  ECONNRESET: 'connection reset.',
  // undici throws an assertion error if data follows a response with status 101.
  ERR_ASSERTION: INVALID_RESPONSE,
  UND_ERR_SOCKET: 'the connection ended early.',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time.',
  UND_ERR_BODY_TIMEOUT: 'the source stopped sending data.',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time.',
};
