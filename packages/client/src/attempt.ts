import type { AnswerInfo } from './call.ts';
import { ApiError } from './errors.ts';
import { fetching, reached } from './fetching.ts';
import type { Next } from './middleware.ts';
import { strike } from './network-cause.ts';
import type { ResponseHeaders } from './platform.ts';
import { parseRateLimit, parseRetryAfter } from './rate-limit.ts';
import { checkCredential, type Settings } from './settings.ts';
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
  const credential = await credentialOf(settings);
  signal.throwIfAborted();
  sending();
  const through = settings.middleware.reduceRight<Next>(
    (next, layer) => async (request) => {
      signal.throwIfAborted();
      return layer(request, next, { operation, attempt: attempts });
    },
    fetching(settings, credential, signal),
  );
  const response = await transmit(url, { method, headers, signal, ...(body && { body }) }, through);
  // There is an answer, so the request arrived, whatever is said of its end.
  const text = await reached(() => response.text(), credential, true);
  const { status } = response;
  const info = {
    status,
    headers: response.headers as ResponseHeaders,
    requestId: strike(response.headers.get('Service-Request-Id') ?? '', credential) || null,
    attempts,
    rateLimit: parseRateLimit(response.headers, Date.now()),
  };
  // A refusal may echo the credential.
  return { text: status > 299 ? struck(text, credential) : text, info };
}

/** The text of a refusal without the credential, also where JSON spells it with escapes. */
function struck(text: string, credential: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (_, value) => (typeof value === 'string' ? strike(value, credential) : value)),
    );
  } catch {
    return strike(text, credential);
  }
}

/** Asks for the credential. */
async function credentialOf({ credential, apiKey }: Settings): Promise<string> {
  return checkCredential(typeof credential === 'function' ? await credential() : credential, apiKey);
}

/** The error that an answer is; undefined where it is 2xx. */
export function refusalOf({ text, info }: Answer): ApiError | undefined {
  const { status, requestId, headers } = info;
  if (status > 199 && status < 300) return undefined;
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    ({ error } = JSON.parse(text));
  } catch {}
  // Whatever else stands there is not the service's: turned into a text, it may throw.
  const textOr = (value: unknown, otherwise: string) => (value && typeof value === 'string' ? value : otherwise);
  const unnamed = status < 400 ? 'A redirect, which is not followed' : `Status ${status}`;
  return new ApiError(textOr(error?.message, unnamed), {
    status,
    code: textOr(error?.code, `HTTP_${status}`),
    requestId,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  });
}
