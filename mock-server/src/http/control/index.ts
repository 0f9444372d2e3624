import type { Hono } from 'hono';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { registerClock } from './clock.ts';
import { registerEvents } from './events.ts';
import { controlGuard } from './guard.ts';
import { registerReset } from './reset.ts';

/** The API by which tests and developers drive the server itself, under `/_control`. */
export function registerControl(app: Hono, services: Services): void {
  if (!services.local && services.adminToken === undefined) {
    app.all('/_control/*', () => {
      throw new ApiError('FORBIDDEN', 'In the strict profile the control API needs --admin-token.');
    });
    return;
  }
  app.use('/_control/*', controlGuard(services));
  registerReset(app, services);
  registerClock(app, services);
  registerEvents(app, services);
}
