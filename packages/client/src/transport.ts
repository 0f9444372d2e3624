import ky, { NetworkError } from 'ky';
import type { Next } from './middleware.ts';
import type { RawResponse } from './platform.ts';

/**
 * Creates a request and passes it to `through` once. Returns the response, even if it has an error status. Only this
 * file uses ky.
 *
 * This package has its own retries, timeouts and errors, so it turns off ky's retries, timeouts and errors.
 */
export async function transmit(url: string, init: RequestInit, through: Next): Promise<RawResponse> {
  const fetch = through as typeof globalThis.fetch;
  try {
    return await ky(url, { ...init, retry: 0, timeout: false, throwHttpErrors: false, fetch });
  } catch (error) {
    // ky wraps every error that looks like a network error, even an error that a middleware throws. Throw the original
    // error.
    throw error instanceof NetworkError ? error.cause : error;
  }
}
