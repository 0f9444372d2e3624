import { WEBHOOK_HEADERS } from '@svc/contract';
import type { Hono } from 'hono';
import { DATA_SOURCE_HEADER } from '../domain/profiles/data-source.ts';
import { ApiError } from './errors.ts';

/** The paths that only the developer uses: the control API, the dashboard and the metrics. */
const PATHS = ['/_control/*', '/dashboard/*', '/docs', '/metrics'];

/**
 * Rejects deliveries and the reading of data sources. Tenants and redirects choose the targets of these requests, which
 * have no `Origin` and a `Host` that is accepted. A server does not connect to itself, but another server or a proxy on
 * this machine may send one here.
 */
export function refuseOwnRequests(app: Hono): void {
  for (const path of PATHS) {
    app.use(path, async (c, next) => {
      const { headers } = c.req.raw;
      if (headers.has(WEBHOOK_HEADERS.id) || headers.has(WEBHOOK_HEADERS.signature)) {
        throw new ApiError('FORBIDDEN', 'Deliveries are not accepted here: the request has webhook headers.');
      }
      if (headers.has(DATA_SOURCE_HEADER)) {
        throw new ApiError('FORBIDDEN', 'A server cannot be the data source of another one.');
      }
      await next();
    });
  }
}
