import type { Hono, MiddlewareHandler } from 'hono';
import { adminGuard, controlGuard } from './control/guard.ts';
import { forbidden } from './errors.ts';
import type { Services } from './services.ts';

export function registerMetrics(app: Hono, services: Services): void {
  const { metrics, readWork } = services;
  app.get('/metrics', guardOf(services), async (c) =>
    c.text(await metrics.text(readWork), 200, { 'Content-Type': metrics.contentType }),
  );
}

function guardOf(services: Services): MiddlewareHandler {
  if (services.adminToken !== undefined) return adminGuard(services.adminToken, services);
  if (services.local) return controlGuard(services);
  return () => {
    throw forbidden('In the strict profile, the metrics require --admin-token.');
  };
}
