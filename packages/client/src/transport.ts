import ky, { NetworkError } from 'ky';
import type { Next } from './middleware.ts';
import type { RawResponse } from './platform.ts';

/**
 * Makes a request and hands it to `through`, once; gives the answer whatever its status. The only file that knows ky.
 *
 * ky is kept from everything that this package does itself: no retry, no time-out, no error for a status, no hooks.
 */
export async function transmit(url: string, init: RequestInit, through: Next): Promise<RawResponse> {
  const fetch = through as typeof globalThis.fetch;
  try {
    return await ky(url, { ...init, retry: 0, timeout: false, throwHttpErrors: false, fetch });
  } catch (error) {
    // ky wraps what looks like a network error to it, also one that a middleware threw on its own account.
    throw error instanceof NetworkError ? error.cause : error;
  }
}
