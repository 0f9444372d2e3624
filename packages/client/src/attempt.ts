import { ApiError, TimeoutError, UsageError } from './errors.ts';
import type { Middleware, Next } from './middleware.ts';
import { strike } from './network-cause.ts';
import type { FetchedResponse, FetchInit, RawResponse } from './platform.ts';
import { parseRateLimit, parseRetryAfter, type RateLimit } from './rate-limit.ts';
import type { Settings } from './settings.ts';
import { startTimer } from './timer.ts';
import { readBody, send } from './transport.ts';

/** A request as every attempt of a call makes it. */
export interface WireRequest {
  operation: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A whole answer with a status of success. */
export interface Answer {
  status: number;
  headers: FetchedResponse['headers'];
  text: string;
  requestId: string | null;
  rateLimit: RateLimit | null;
}

/** Makes one attempt; gives the answer, or throws an {@link ApiError} for any status but 2xx. */
export async function attempt(
  settings: Settings,
  request: WireRequest,
  count: number,
  timeoutMs: number,
  scope: AbortSignal,
): Promise<Answer> {
  const controller = new AbortController();
  const { signal } = controller;
  const relay = () => controller.abort(scope.reason);
  scope.addEventListener('abort', relay);
  const stopTimer = startTimer(timeoutMs, () => controller.abort(new TimeoutError('timeoutMs', timeoutMs)));
  try {
    // Raced, because a credential's source, a middleware or a `fetch` may not listen to the signal.
    return await Promise.race([
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      exchange(settings, request, count, signal),
    ]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    stopTimer();
    scope.removeEventListener('abort', relay);
  }
}

async function exchange(settings: Settings, request: WireRequest, count: number, signal: AbortSignal): Promise<Answer> {
  const credential = await credentialOf(settings);
  const { operation, method, url, headers, body } = request;
  const fetch = settings.fetch ?? globalThis.fetch;
  const transmit = (to: string, init: Omit<FetchInit, 'signal' | 'redirect'>) => {
    if (new URL(to).origin !== settings.origin) throw new UsageError('A middleware changed the origin of a request');
    init.headers['authorization'] = `Bearer ${credential}`;
    return send(fetch, to, { ...init, signal, redirect: 'manual' }, credential);
  };
  const init = { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
  const { middleware = [] } = settings;
  const response = middleware.length
    ? await throughMiddleware(middleware, new Request(url, init), { operation, attempt: count }, async (changed) => {
        const text = await changed.text();
        return transmit(changed.url, {
          method: changed.method,
          headers: Object.fromEntries(changed.headers),
          ...(text ? { body: text } : {}),
        });
      })
    : await transmit(url, init);
  const text = await readBody(response, credential);
  const requestId = response.headers.get('Service-Request-Id');
  const rateLimit = parseRateLimit(response.headers, Date.now());
  const answer = { status: response.status, headers: response.headers, text, requestId, rateLimit };
  if (rateLimit) settings.limiter.told(rateLimit, Date.now());
  if (response.status < 200 || response.status > 299) throw apiError(answer, credential);
  return answer;
}

/** Asks for the credential. One that HTTP cannot carry is refused here, because the runtime's refusal would show it. */
async function credentialOf({ credential }: Settings): Promise<string> {
  const text = typeof credential === 'function' ? await credential() : credential;
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError('The credential is empty or has characters that no header can carry');
  }
  return text;
}

function throughMiddleware(
  [first, ...others]: readonly Middleware[],
  request: Request,
  context: { operation: string; attempt: number },
  last: Next,
): Promise<RawResponse> {
  return first ? first(request, (next) => throughMiddleware(others, next, context, last), context) : last(request);
}

function apiError({ status, headers, text, requestId }: Answer, credential: string): ApiError {
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    error = JSON.parse(strike(text, credential)).error;
  } catch {}
  const redirect = status < 400;
  return new ApiError(
    typeof error?.message === 'string'
      ? error.message
      : redirect
        ? 'The service answered with a redirect, which is not followed: is baseUrl right?'
        : `The service answered with status ${status}`,
    {
      status,
      code: typeof error?.code === 'string' ? error.code : `HTTP_${status}`,
      requestId,
      retryAfterMs: parseRetryAfter(headers, Date.now()),
    },
  );
}
