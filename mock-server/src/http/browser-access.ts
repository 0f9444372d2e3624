import { API_HEADERS, WEBHOOK_HEADERS } from '@svc/contract';
import type { Hono, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { DATA_SOURCE_HEADER } from '../domain/profiles/data-source.ts';
import { forbidden } from './errors.ts';
import { hostOf } from './incoming.ts';
import type { Services } from './services.ts';

/**
 * Protects against DNS rebinding: if the host name of a web page resolves to the server's address, the page has the
 * same origin as the server, and could use the well-known demo credentials.
 */
export function requireHost({ isApiHost }: Pick<Services, 'isApiHost'>): MiddlewareHandler {
  return async (c, next) => {
    if (!isApiHost(hostOf(c))) {
      throw forbidden(
        'The server listens on loopback and responds only to loopback host names such as localhost. To add a host name, start the server with --public-url.',
      );
    }
    await next();
  };
}

/** Forbids caching: responses of the control API contain credentials, sessions and the data of all tenants. */
export const neverStored: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};

const PATHS = ['/_control/*', '/dashboard/*', '/docs', '/metrics'];

/**
 * Rejects webhook deliveries and requests meant for a data source: another server on this machine may send such
 * requests to a URL that a tenant chose. These requests have an allowed `Host` and no `Origin`, so the checks against
 * web pages would accept them.
 */
export function refuseOwnRequests(app: Hono): void {
  for (const path of PATHS) {
    app.use(path, async (c, next) => {
      const { headers } = c.req.raw;
      if (headers.has(WEBHOOK_HEADERS.id) || headers.has(WEBHOOK_HEADERS.signature)) {
        throw forbidden('The request has webhook headers, but this path does not accept webhook deliveries.');
      }
      if (headers.has(DATA_SOURCE_HEADER)) {
        throw forbidden('A server cannot be the data source of another server.');
      }
      await next();
    });
  }
}

const PREFLIGHT_MAX_AGE_S = 600;

export function allowOrigins(app: Hono, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.use(
    '/v1/*',
    cors({
      origin: [...origins],
      allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
      exposeHeaders: Object.values(API_HEADERS),
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  );
}
