import { check } from './check.ts';
import { ApiError } from './errors.ts';
import { type Evidence, evidenceOf, summaryOf } from './evidence.ts';
import { checkResponse, send } from './fetching.ts';
import { tell } from './logger.ts';
import type { Next } from './middleware.ts';
import { reached } from './network-failure.ts';
import { parseUrl } from './origin.ts';
import { parseRateLimit, parseRetryAfter } from './rate-limit-headers.ts';
import { strike } from './redact-credential.ts';
import type { ResponseInfo } from './response-info.ts';
import type { Settings } from './settings.ts';
import { wait } from './timer.ts';
import { transmit } from './transport.ts';

/** The request that each attempt of a call sends. */
export interface WireRequest {
  operation: string;
  url: string;
  init: RequestInit;
}

/** One attempt to send a request. */
export interface Try extends WireRequest {
  /** The number of this attempt, starting at 1. */
  attempts: number;
  /** Whether the middleware has started. Until the middleware starts, nothing is sent. */
  begun: boolean;
}

/** A response whose whole body has been read. */
export interface WholeResponse {
  text: string;
  info: ResponseInfo;
  /** The error if the status is not 2xx. Otherwise undefined. */
  error: ApiError | undefined;
  /** Returns the {@link Evidence} for an error about this response. */
  evidence: () => Evidence;
}

/** The result of an attempt that got no complete response. */
export interface NoResponse {
  info?: undefined;
  error: unknown;
}

/**
 * Makes one attempt. If `signal` is aborted, the attempt ends without sending further data. The promise never rejects.
 */
export const makeAttempt = (
  settings: Settings,
  current: Try,
  signal: AbortSignal,
): Promise<WholeResponse | NoResponse> =>
  // Do not await the attempt itself: a credential function, a middleware or a `fetch` may ignore the signal.
  wait<WholeResponse>(signal, (done, fail) => void attempt(settings, current, signal).then(done, fail)).catch(
    (error: unknown) => ({ error: signal.reason ?? error }),
  );

/** Sends the request through the middleware and reads the whole response, even if the response has an error status. */
async function attempt(settings: Settings, current: Try, signal: AbortSignal): Promise<WholeResponse> {
  const { operation, url, init, attempts } = current;
  const credential = await settings.credential();
  current.begun = true;
  let sent = false;
  const through = settings.middleware.reduceRight<Next>(
    (next, layer, index) => async (request) => {
      signal.throwIfAborted();
      const response = await layer(request, next, { operation, attempt: attempts });
      checkResponse(
        response,
        `middleware[${index}] returned no Response: return the result of next()${sent ? '. The request was sent' : ''}`,
      );
      return response;
    },
    (request) => {
      sent = true;
      return send(settings, credential, signal, request);
    },
  );
  const response = await transmit(url, { ...init, signal }, through);
  check(!response.bodyUsed, 'Middleware must read a clone()');
  // The service responded, so the request arrived, even if reading the body fails.
  const text = await reached(() => response.text(), credential, true);
  const { status, headers } = response;
  // Log the names that the service ignored: untyped code may contain misspelled names.
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
  return { text, info, evidence, error: refusalOf(text, info, credential, evidence) };
}

/** Returns a response's error, or undefined if the status is 2xx. */
function refusalOf(
  text: string,
  { status, requestId, headers }: ResponseInfo,
  credential: string,
  evidence: WholeResponse['evidence'],
): ApiError | undefined {
  if (status > 199 && status < 300) return undefined;
  const kept = evidence();
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    ({ error } = JSON.parse(text));
  } catch {}
  const unnamed = status < 400 ? redirectMessage(headers.get('Location'), kept.url) : `${status}: ${summaryOf(kept)}`;
  const fields = {
    status,
    code: strike(error?.code, credential) || `HTTP_${status}`,
    requestId,
    retryAfterMs: parseRetryAfter(headers, Date.now()),
  };
  return new ApiError(strike(error?.message, credential) || unnamed, fields, kept);
}

/**
 * Returns the message for a redirect. It shows only the target's origin, because the path may contain secrets. The
 * client does not follow redirects: the target must not get the credential.
 */
function redirectMessage(location: string | null, url: string): string {
  const to = location && parseUrl(location, url);
  return `Not following a redirect${to ? ` to ${to.origin}` : ''}: check baseUrl`;
}
