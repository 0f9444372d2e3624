import { NetworkError, UsageError } from './errors.ts';
import type { Next } from './middleware.ts';
import { networkCause } from './network-cause.ts';
import type { RawResponse } from './platform.ts';
import type { Settings } from './settings.ts';

/**
 * The innermost step of an attempt: adds the credential and calls `fetch`.
 *
 * `fetch` gets the URL and plain options, because an implementation of another copy refuses a `Request`. The credential
 * goes into a copy of the headers, so that a middleware that keeps its `Request` never holds it.
 */
export function fetching(
  { fetch = globalThis.fetch, origin }: Settings,
  credential: string,
  signal: AbortSignal,
): Next {
  return async (request) => {
    const { url, method } = request;
    if (new URL(url).origin !== origin) throw new UsageError(`Not a URL of ${origin}: ${new URL(url).origin}`);
    const body = await request.text();
    const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${credential}` };
    const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body }) };
    return reached(fetch(url, init) as Promise<RawResponse>, credential);
  };
}

/** What comes over the network, or a {@link NetworkError}: what runtimes throw may carry the request. */
export async function reached<Value>(
  incoming: PromiseLike<Value>,
  credential: string,
  arrived = false,
): Promise<Value> {
  try {
    return await incoming;
  } catch (error) {
    const { cause, neverArrived } = networkCause(error, credential);
    throw new NetworkError(`No whole answer: ${cause.message}`, { neverArrived: neverArrived && !arrived }, cause);
  }
}
