// #region hono
import { createWebhooks } from '@svc/webhooks';
import { Hono } from 'hono';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

export const app = new Hono();
app.post('/webhooks', (context) => webhooks.fetch(context.req.raw));
// #endregion hono
