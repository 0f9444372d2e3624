import type { Hono } from 'hono';
import { z } from 'zod';
import type { Services } from '../services.ts';
import { readControlBody } from './json.ts';

const resetBody = z.strictObject({ seed: z.unknown().optional() });

export function registerReset(app: Hono, services: Services): void {
  app.post('/_control/reset', async (c) => {
    const { seed } = await readControlBody(c, resetBody);
    return c.json({ credentials: await services.reset(seed) });
  });
}
