import { check } from './check.ts';
import { reached } from './network-failure.ts';
import { resolveUrl } from './origin.ts';
import type { RawRequest, RawResponse } from './platform.ts';
import type { Settings } from './settings.ts';

/**
 * The innermost step of an attempt: adds the credential and calls `fetch`.
 *
 * The arguments of `fetch` are the URL and plain options, because some implementations reject another implementation's
 * `Request`. The credential is added to a copy of the headers, so a middleware that keeps its `Request` never sees the
 * credential.
 */
export async function send(
  settings: Settings,
  credential: string,
  signal: AbortSignal,
  request: RawRequest,
): Promise<RawResponse> {
  const { url, method } = request;
  // A middleware may have changed the URL, so check the URL again.
  resolveUrl(url, settings.address());
  check(!request.bodyUsed, 'Middleware must read a clone()');
  // Read a copy of the request, because a middleware may send the request more than once.
  const body = method !== 'GET' && (await request.clone().text());
  const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${credential}` };
  const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body }) };
  // Some `fetch` implementations ignore a signal that is already aborted.
  signal.throwIfAborted();
  const fetching = settings.fetch ?? fetch;
  const response = await reached(() => fetching(url, init) as Promise<RawResponse>, credential);
  checkResponse(response, 'fetch returned no Response');
  return response;
}

/** Checks what a `fetch` or a middleware returned, because untyped code may return anything. */
export function checkResponse(
  response: Partial<RawResponse> | undefined,
  message: string,
): asserts response is RawResponse {
  check(response?.text && response.headers?.get, message);
}
