import { NetworkError, UsageError } from './errors.ts';
import type { Next } from './middleware.ts';
import { networkCause } from './network-cause.ts';
import { resolveUrl } from './origin.ts';
import type { RawResponse } from './platform.ts';
import type { Settings } from './settings.ts';

/**
 * The innermost step of an attempt: adds the credential and calls `fetch`.
 *
 * `fetch` gets the URL and plain options, because an implementation of another copy refuses a `Request`. The credential
 * goes into a copy of the headers, so that a middleware that keeps its `Request` never holds it.
 */
export function fetching(settings: Settings, credential: string, signal: AbortSignal): Next {
  const { fetch = globalThis.fetch } = settings;
  return async (request) => {
    const { url, method } = request;
    // A middleware may have changed it.
    resolveUrl(url, settings);
    if (request.bodyUsed) throw new UsageError('A middleware read the body of the request: read a clone() of it');
    // A copy is read, because a middleware may send a request more than once.
    const body = method !== 'GET' && (await request.clone().text());
    const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${credential}` };
    const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body }) };
    // Not every `fetch` looks at a signal that was aborted before.
    signal.throwIfAborted();
    return reached(() => fetch(url, init) as Promise<RawResponse>, credential);
  };
}

/** What `reach` gets over the network, or a {@link NetworkError}: what runtimes throw, at once or later, may carry the request. */
export async function reached<Value>(
  reach: () => PromiseLike<Value>,
  credential: string,
  arrived = false,
): Promise<Value> {
  try {
    return await reach();
  } catch (error) {
    const { cause, neverArrived } = networkCause(error, credential);
    throw new NetworkError(`No whole answer: ${cause.message}`, { neverArrived: neverArrived && !arrived }, cause);
  }
}
