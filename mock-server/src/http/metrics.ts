import type { Hono, MiddlewareHandler } from 'hono';
import { adminGuard, controlGuard } from './control/guard.ts';
import { ConnectionCutError, forbidden } from './errors.ts';
import type { Services } from './services.ts';

export function registerMetrics(app: Hono, services: Services): void {
  const { metrics, readWork, adminToken, local } = services;
  const guard: MiddlewareHandler = async () => {
    throw forbidden('In the strict profile, the metrics require --admin-token.');
  };
  const open = adminToken === undefined ? controlGuard(services) : adminGuard(adminToken, services);
  app.get('/metrics', local || adminToken !== undefined ? open : guard, async (c) =>
    c.text(await metrics.text(readWork), 200, { 'Content-Type': metrics.contentType }),
  );
}

export function observeRequests({ metrics }: Pick<Services, 'metrics'>): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now();
    const ended = (status: string) => {
      // Otherwise, a client could create any number of labels.
      const operation = c.get('operation') ?? 'unknown';
      metrics.requestEnded({ operation, status, durationMs: performance.now() - startedAt });
    };
    try {
      await next();
    } catch (error) {
      if (error instanceof ConnectionCutError) ended('cut');
      throw error;
    }
    ended(String(c.res.status));
  };
}
