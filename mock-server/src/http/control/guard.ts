import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { hashCredential } from '../../domain/credential.ts';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { bearerOf, sessionOf } from '../session.ts';

/**
 * Keeps web pages away from the control API. A page that a developer visits can send requests here, also under a name
 * of its own that leads to this address (DNS rebinding): its `Origin`, its `Host` or the browser's `Sec-Fetch-Site`
 * gives it away.
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
    if (isFromElsewhere(c.req.method, c.req.header('Sec-Fetch-Site'))) {
      throw new ApiError('FORBIDDEN', 'The control API does not answer requests from other web pages.');
    }
    if (services.adminToken !== undefined && !(await isAdminSession(services, c))) checkToken(c, services.adminToken);
    await next();
  };
}

/**
 * Whether a browser says that another site's page, or another port's, makes the request. `none` is what a user types into
 * the address bar, which can only read.
 */
function isFromElsewhere(method: string, site: string | undefined): boolean {
  if (site === 'none') return method !== 'GET' && method !== 'HEAD';
  return site !== undefined && site !== 'same-origin';
}

/** Whether a session comes with the request that the admin token was exchanged for. */
async function isAdminSession(services: Services, c: Context): Promise<boolean> {
  const session = await sessionOf(services, c);
  c.set('session', session);
  return session !== undefined && 'admin' in session.subject;
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
  const given = bearerOf(authorization) ?? '';
  return timingSafeEqual(Buffer.from(hashCredential(given)), Buffer.from(hashCredential(token)));
}
