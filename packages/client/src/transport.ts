import ky, { NetworkError } from 'ky';
import type { Next } from './middleware.ts';
import type { RawResponse } from './platform.ts';

/**
 * Creates a request and passes it to `through` once. Returns the response, also one with an error status. Only this
 * file uses ky.
 *
 * ky does nothing that this package does itself: no retries, no timeout, no errors for a status, no hooks.
 */
export async function transmit(url: string, init: RequestInit, through: Next): Promise<RawResponse> {
  const fetch = through as typeof globalThis.fetch;
  try {
    return await ky(url, { ...init, retry: 0, timeout: false, throwHttpErrors: false, fetch });
  } catch (error) {
    // ky wraps errors that look like network errors, even those that a middleware throws itself.
    throw error instanceof NetworkError ? error.cause : error;
  }
}
