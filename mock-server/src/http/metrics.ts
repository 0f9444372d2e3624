import type { Hono } from 'hono';
import { adminGuard, controlGuard } from './control/guard.ts';
import type { Services } from './services.ts';

export function registerMetrics(app: Hono, services: Services): void {
  const { adminToken, metrics, readWork } = services;
  const guard = adminToken === undefined ? controlGuard(services, 'the metrics require') : adminGuard(services);
  app.get('/metrics', guard, async (c) =>
    c.text(await metrics.text(readWork), 200, { 'Content-Type': metrics.contentType }),
  );
}
