import { API_HEADERS } from '@svc/contract';
import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { IGNORED_HEADER } from './ignored-input.ts';

/** How long a browser may cache the response to a preflight. Browsers limit this value. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Lets pages from these origins call `/v1`, but not the control API. */
export function allowOrigins(app: Hono, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.use(
    '/v1/*',
    cors({
      origin: [...origins],
      allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
      exposeHeaders: [...Object.values(API_HEADERS), IGNORED_HEADER],
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  );
}
