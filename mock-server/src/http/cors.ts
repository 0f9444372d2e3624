import { API_HEADERS } from '@svc/contract';
import type { Hono } from 'hono';
import { cors } from 'hono/cors';

/** A browser may keep the answer to a preflight for this long. Browsers take less. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Lets pages of these origins call `/v1`. The control API is not part of it. */
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
