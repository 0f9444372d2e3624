// #region app
import type { Webhooks } from '@svc/webhooks';
import { createExpressHandler } from '@svc/webhooks/node';
import express from 'express';

/** Creates an application that receives webhooks at `/webhooks`, and parses JSON bodies on all other routes. */
export function createApp(webhooks: Webhooks): express.Express {
  const app = express();
  // Add this handler before express.json(), because the signature covers the raw body.
  app.post('/webhooks', createExpressHandler(webhooks));
  app.use(express.json());
  app.get('/health', (_request, response) => void response.json({ ok: true }));
  return app;
}
// #endregion app
