import type { AnswerInfo } from './call.ts';
import { checkCredential } from './credential.ts';
import { ApiError, UsageError } from './errors.ts';
import { fetching, reached } from './fetching.ts';
import type { Middleware, Next } from './middleware.ts';
import { strike } from './network-cause.ts';
import type { RawResponse, ResponseHeaders } from './platform.ts';
import { parseRateLimit, parseRetryAfter } from './rate-limit.ts';
import type { Settings } from './settings.ts';
import { transmit } from './transport.ts';

/** A request as every attempt of a call makes it. */
export interface WireRequest {
  operation: string;
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
}

/** A whole answer. */
export interface Answer {
  text: string;
  info: AnswerInfo;
  /** The error that it is, unless it is 2xx. */
  refusal: ApiError | undefined;
}

/**
 * Makes one attempt: through the middleware, to the last byte of the answer, whatever its status. Before the first of
 * them it calls `sending`: until then nothing was sent. Nothing is sent any more once `signal` is aborted.
 */
export async function attempt(
  settings: Settings,
  { operation, url, method, headers, body }: WireRequest,
  attempts: number,
  signal: AbortSignal,
  sending: () => void,
): Promise<Answer> {
  const { credential: source, kind } = settings;
  const credential = checkCredential(typeof source === 'function' ? await source() : source, kind);
  signal.throwIfAborted();
  sending();
  let sent = false;
  const send = fetching(settings, credential, signal);
  const last: Middleware = (request) => {
    sent = true;
    return send(request);
  };
  const through = [...settings.middleware, last].reduceRight<Next>(
    (next, layer, index) => async (request) => {
      signal.throwIfAborted();
      const response: Partial<RawResponse> | undefined = await layer(request, next, { operation, attempt: attempts });
      // Programs without types may return anything.
      if (response?.text && response.headers?.get) return response as RawResponse;
      if (layer === last) throw new UsageError('fetch returned no Response');
      const fate = sent ? 'The request was sent.' : 'Nothing was sent.';
      throw new UsageError(`middleware[${index}] returned no Response: return what next() gives. ${fate}`);
    },
    undefined as never,
  );
  const response = await transmit(url, { method, headers, signal, ...(body && { body }) }, through);
  // There is an answer, so the request arrived, whatever is said of its end.
  const text = await reached(() => response.text(), credential, true);
  const { status } = response;
  const info: AnswerInfo = {
    status,
    headers: response.headers as ResponseHeaders,
    requestId: strike(response.headers.get('Service-Request-Id'), credential) || null,
    attempts,
    rateLimit: parseRateLimit(response.headers, Date.now()),
  };
  return { text, info, refusal: refusalOf(url, text, info, credential) };
}

/** The error that an answer is; undefined if it is 2xx. */
function refusalOf(
  url: string,
  text: string,
  { status, requestId, headers }: AnswerInfo,
  credential: string,
): ApiError | undefined {
  if (status > 199 && status < 300) return undefined;
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    ({ error } = JSON.parse(text));
  } catch {}
  const unnamed = status < 400 ? redirectMessage(headers.get('Location'), url) : `Status ${status}`;
  return new ApiError(strike(error?.message, credential) || unnamed, {
    status,
    code: strike(error?.code, credential) || `HTTP_${status}`,
    requestId,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  });
}

/** A redirect is not followed, because the credential would go along. Its origin is enough to find the mistake, and its path may hold secrets. */
function redirectMessage(location: string | null, url: string): string {
  const to = location && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : '';
  return `A redirect${to}, which is not followed. Is baseUrl right?`;
}
