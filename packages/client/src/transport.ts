import ky from 'ky';
import type { Next } from './middleware.ts';
import type { RawResponse } from './platform.ts';

/**
 * Makes a request and hands it to `through`, once; gives the answer whatever its status. The only file that knows ky.
 *
 * ky is kept from everything that this package does itself: no retry, no time-out, no error for a status, no hooks.
 */
export function transmit(url: string, init: RequestInit, through: Next): Promise<RawResponse> {
  return ky(url, {
    ...init,
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (request) => through(request as Request),
  });
}
