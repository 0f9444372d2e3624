import { WEBHOOK_HEADERS } from '@svc/contract';
import type { Hono } from 'hono';
import { DATA_SOURCE_HEADER } from '../domain/profiles/data-source.ts';
import { ApiError } from './errors.ts';

/** The paths that only developers use: the control API, the dashboard and the metrics. */
const PATHS = ['/_control/*', '/dashboard/*', '/docs', '/metrics'];

/**
 * Rejects deliveries and reads of data sources on these paths. Tenants and redirects choose the targets of such
 * requests, and the usual checks accept the requests, because they have no `Origin` and an accepted `Host`. A server
 * does not connect to itself, but another server or a proxy on this machine may send such a request here.
 */
export function refuseOwnRequests(app: Hono): void {
  for (const path of PATHS) {
    app.use(path, async (c, next) => {
      const { headers } = c.req.raw;
      if (headers.has(WEBHOOK_HEADERS.id) || headers.has(WEBHOOK_HEADERS.signature)) {
        throw new ApiError('FORBIDDEN', 'Deliveries are not accepted here: the request has webhook headers.');
      }
      if (headers.has(DATA_SOURCE_HEADER)) {
        throw new ApiError('FORBIDDEN', 'A server cannot be the data source of another server.');
      }
      await next();
    });
  }
}
