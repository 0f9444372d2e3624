import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { hashCredential } from '../../domain/credential.ts';
import { SESSION_PREFIX } from '../../domain/dashboard-session.ts';
import { identifySession } from '../authentication.ts';
import { giveWay, holdPlace } from '../connections.ts';
import { forbidden, unauthenticated } from '../errors.ts';
import { bearerOf, clientOf, hostOf, incomingOf } from '../incoming.ts';
import type { Services } from '../services.ts';
import type { WrongTokens } from './wrong-tokens.ts';

/**
 * Protects the control API from web pages: a page can make the browser send requests, even under the page's own host
 * name (DNS rebinding). `operation.ts` also requires a content type that needs a preflight request.
 *
 * @param requires - The words before `--admin-token` in the error message for a strict server without an admin token.
 */
export function controlGuard(services: Services, requires = 'the control API requires'): MiddlewareHandler {
  return async (c, next) => {
    if (!services.local && services.adminToken === undefined)
      throw forbidden(`In the strict profile, ${requires} --admin-token.`);
    if (!services.isOwnHost(hostOf(c))) {
      throw forbidden(
        "The control API responds only to the server's own host names. To add a host name, start the server with --public-url.",
      );
    }
    const origin = c.req.header('Origin');
    const isForeign = origin !== undefined && !services.isOwnOrigin(origin);
    // A web page can make the browser load a URL ahead of time, in a request that looks as if a user typed the URL.
    const isAhead = c.req.header('Sec-Purpose') !== undefined;
    if (isForeign || isAhead || isFromElsewhere(c.req.method, c.req.header('Sec-Fetch-Site'))) {
      throw forbidden('The control API does not accept requests from web pages of other origins.');
    }
    await admit(services, c, next, { acceptsSession: true });
  };
}

/** `Sec-Fetch-Site: none` means that a user typed the address. A typed address causes only GET and HEAD requests. */
function isFromElsewhere(method: string, site: string | undefined): boolean {
  if (site === 'none') return method !== 'GET' && method !== 'HEAD';
  return site !== undefined && site !== 'same-origin';
}

/** Accepts any host and origin, because web pages do not have the admin token. */
export const adminGuard =
  (services: Services): MiddlewareHandler =>
  (c, next) =>
    admit(services, c, next, { acceptsSession: false });

async function admit(services: Services, c: Context, next: Next, { acceptsSession }: { acceptsSession: boolean }) {
  const { adminToken, wrongTokens, limits } = services;
  if (adminToken !== undefined) {
    const session = acceptsSession ? await identifySession(services, c) : undefined;
    if (!session || !('admin' in session.subject)) await checkToken(c, adminToken, wrongTokens);
    limits.credentials.rememberAdmin(c);
  }
  holdPlace(incomingOf(c)?.socket);
  await next();
}

/** An ended session does not count as a guess, because open dashboard tabs still send the session after a reset. */
async function checkToken(c: Context, token: string, wrongTokens: WrongTokens): Promise<void> {
  const given = bearerOf(c.req.header('Authorization'));
  if (given !== undefined && isSame(given, token)) return;
  const socket = incomingOf(c)?.socket;
  const client = clientOf(c);
  const isGuess = given !== undefined && (!given.startsWith(SESSION_PREFIX) || token.startsWith(SESSION_PREFIX));
  if (isGuess && socket && client !== undefined) {
    giveWay(socket);
    await wrongTokens.count(client, c.req.raw.signal);
  }
  throw unauthenticated('Send the admin token as "Authorization: Bearer <token>".');
}

/** Compares hashes, so that the comparison's duration reveals neither the token nor its length. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashCredential(given)), Buffer.from(hashCredential(token)));
}
