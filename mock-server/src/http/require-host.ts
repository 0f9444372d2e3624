import type { MiddlewareHandler } from 'hono';
import { ApiError } from './errors.ts';
import type { Services } from './services.ts';

/**
 * Rejects requests from web pages that reach the server through their own host name (DNS rebinding). To a browser, such
 * a page has the same origin as the server. So the page could use the demo credentials, which everyone knows, and read
 * every response.
 */
export function requireHost({ isApiHost }: Pick<Services, 'isApiHost'>): MiddlewareHandler {
  return async (c, next) => {
    if (!isApiHost(c.req.header('Host') ?? new URL(c.req.url).host)) {
      throw new ApiError(
        'FORBIDDEN',
        'The server listens on loopback and responds only to loopback host names such as localhost; --public-url adds one.',
      );
    }
    await next();
  };
}
