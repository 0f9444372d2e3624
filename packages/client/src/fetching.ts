import { check } from './check.ts';
import { resolveUrl } from './origin.ts';
import type { RawRequest, RawResponse } from './platform.ts';
import { reached } from './reached.ts';
import type { Settings } from './settings.ts';

/**
 * The innermost step of an attempt: adds the credential and calls `fetch`.
 *
 * `fetch` gets the URL and plain options, because an implementation of another copy refuses a `Request`. The credential
 * goes into a copy of the headers, so that a middleware that keeps its `Request` never holds it.
 */
export async function send(
  settings: Settings,
  credential: string,
  signal: AbortSignal,
  request: RawRequest,
): Promise<RawResponse> {
  const { url, method } = request;
  // A middleware may have changed it.
  resolveUrl(url, settings);
  check(!request.bodyUsed, 'A middleware read the body: read a clone()');
  // A copy is read, because a middleware may send a request more than once.
  const body = method !== 'GET' && (await request.clone().text());
  const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${credential}` };
  const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body }) };
  // Not every `fetch` looks at a signal that was aborted before.
  signal.throwIfAborted();
  const fetching = settings.fetch ?? fetch;
  const response = await reached(() => fetching(url, init) as Promise<RawResponse>, credential);
  checkResponse(response, 'fetch returned no Response');
  return response;
}

/** Checks what a `fetch` or a middleware returned: programs without types may return anything. */
export function checkResponse(
  response: Partial<RawResponse> | undefined,
  message: string,
): asserts response is RawResponse {
  check(response?.text && response.headers?.get, message);
}
