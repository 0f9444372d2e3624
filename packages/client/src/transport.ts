import ky from 'ky';
import { NetworkError } from './errors.ts';
import { clearedCause, neverArrived } from './network-cause.ts';
import type { Fetch, FetchInit, RawResponse } from './platform.ts';

/**
 * Sends one request, once, and gives the answer whatever its status. The only file that knows ky.
 *
 * ky is kept from everything that this package does itself: no retry, no time-out, no error for a status, no hooks.
 * `fetch` gets the URL and plain options, because an implementation of another copy refuses ky's `Request`.
 */
export async function send(fetch: Fetch, url: string, init: FetchInit, credential: string): Promise<RawResponse> {
  try {
    return await ky(url, {
      ...init,
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      fetch: () => fetch(url, init) as Promise<Response>,
    });
  } catch (error) {
    throw networkError('No answer', error, credential);
  }
}

/** Reads an answer's body to its end. */
export async function readBody(response: { text(): Promise<string> }, credential: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw networkError('The answer was cut off', error, credential);
  }
}

/** ky's own errors carry the request, and with it the credential: only what they were made from goes on. */
function networkError(what: string, error: unknown, credential: string): NetworkError {
  const raw = error instanceof Error && 'request' in error ? error.cause : error;
  const cause = clearedCause(raw, credential);
  return new NetworkError(`${what}: ${cause.message}`, neverArrived(raw), cause);
}
