import { check } from './check.ts';
import { ApiError } from './errors.ts';
import { type Evidence, evidenceOf, summaryOf } from './evidence.ts';
import { checkResponse, send } from './fetching.ts';
import { tell } from './logger.ts';
import type { Next } from './middleware.ts';
import { parseUrl } from './origin.ts';
import { parseRateLimit, parseRetryAfter } from './rate-limit.ts';
import { reached } from './reached.ts';
import type { ResponseInfo } from './response-info.ts';
import type { Settings } from './settings.ts';
import { strike } from './strike.ts';
import { transmit } from './transport.ts';

/** The request that each attempt of a call sends. */
export interface WireRequest {
  operation: string;
  url: string;
  init: RequestInit;
}

/** A response, read to the end. */
export interface Answer {
  text: string;
  info: ResponseInfo;
  /** The error, unless the status is 2xx. */
  error: ApiError | undefined;
  /** Collects what an error about this response keeps. */
  evidence: () => Evidence;
}

/**
 * Makes one attempt: sends the request through the middleware and reads the whole response, whatever its status. Calls
 * `sending` just before the middleware runs. Until then, nothing was sent. Once `signal` is aborted, it sends nothing more.
 */
export async function attempt(
  settings: Settings,
  { operation, url, init }: WireRequest,
  attempts: number,
  signal: AbortSignal,
  sending: () => void,
): Promise<Answer> {
  const credential = await settings.credential();
  sending();
  let sent = false;
  const through = settings.middleware.reduceRight<Next>(
    (next, layer, index) => async (request) => {
      signal.throwIfAborted();
      const response = await layer(request, next, { operation, attempt: attempts });
      const fate = sent ? 'The request' : 'Nothing';
      checkResponse(response, `middleware[${index}] returned no Response: return what next() gives. ${fate} was sent.`);
      return response;
    },
    (request) => {
      sent = true;
      return send(settings, credential, signal, request);
    },
  );
  const response = await transmit(url, { ...init, signal }, through);
  check(!response.bodyUsed, 'A middleware read the body: read a clone()');
  // The service answered, so the request arrived, even if reading the body fails.
  const text = await reached(() => response.text(), credential, true);
  const { status, headers } = response;
  // A program without types would not notice that a field or a parameter is mistyped.
  const ignored = strike(headers.get('Service-Ignored'), credential);
  if (ignored) tell(settings, 'warn', 'ignored', { operation, ignored });
  const info: ResponseInfo = {
    status,
    headers,
    requestId: strike(headers.get('Service-Request-Id'), credential) || null,
    attempts,
    rateLimit: parseRateLimit(headers, Date.now()),
  };
  const evidence = () => evidenceOf(url, text, headers, credential);
  return { text, info, evidence, error: refusalOf(url, text, info, credential, evidence) };
}

/** The error for a response, or undefined if the status is 2xx. */
function refusalOf(
  url: string,
  text: string,
  { status, requestId, headers }: ResponseInfo,
  credential: string,
  evidence: Answer['evidence'],
): ApiError | undefined {
  if (status > 199 && status < 300) return undefined;
  const kept = evidence();
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    ({ error } = JSON.parse(text));
  } catch {}
  const unnamed =
    status < 400 ? redirectMessage(headers.get('Location'), url) : `${status} from a gateway: ${summaryOf(kept)}`;
  const fields = {
    status,
    code: strike(error?.code, credential) || `HTTP_${status}`,
    requestId,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  };
  return new ApiError(strike(error?.message, credential) || unnamed, fields, kept);
}

/**
 * Redirects are not followed, because the credential would go along. The message shows only the target's origin. That is
 * enough to find the mistake, and the path may hold secrets.
 */
function redirectMessage(location: string | null, url: string): string {
  const to = location && parseUrl(location, url);
  return `A redirect${to ? ` to ${to.origin}` : ''} is not followed: check baseUrl`;
}
