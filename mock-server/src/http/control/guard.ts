import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { hashCredential } from '../../domain/credential.ts';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';

/**
 * Keeps web pages away from the control API. A page that a developer visits can send requests here, also under a name
 * of its own that leads to this address (DNS rebinding): its `Origin` or its `Host` gives it away.
 */
export function controlGuard(services: Services): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('Host') ?? new URL(c.req.url).host;
    if (!services.isOwnHost(host)) {
      throw new ApiError(
        'FORBIDDEN',
        "The control API answers under the server's own host names only; --public-url adds one.",
      );
    }
    const origin = c.req.header('Origin');
    if (origin !== undefined && !isOwnOrigin(services, origin)) {
      throw new ApiError('FORBIDDEN', 'The control API does not answer requests from other web pages.');
    }
    if (services.adminToken !== undefined) checkToken(c, services.adminToken);
    await next();
  };
}

/** Asks for the admin token and nothing else: no web page has it. */
export function adminGuard(token: string): MiddlewareHandler {
  return async (c, next) => {
    checkToken(c, token);
    await next();
  };
}

function checkToken(c: Context, token: string): void {
  if (hasToken(c.req.header('Authorization'), token)) return;
  throw new ApiError('UNAUTHENTICATED', 'Send the admin token as "Authorization: Bearer <token>".', {
    'WWW-Authenticate': 'Bearer',
  });
}

function isOwnOrigin(services: Services, origin: string): boolean {
  return URL.canParse(origin) && services.isOwnHost(new URL(origin).host);
}

/** Compares hashes, so that neither the text nor its length shows in the time it takes. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(Buffer.from(hashCredential(given)), Buffer.from(hashCredential(token)));
}
