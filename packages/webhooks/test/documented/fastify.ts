// #region fastify
import { createWebhooks } from '@svc/webhooks';
import { fastifyWebhooks } from '@svc/webhooks/fastify';
import fastify from 'fastify';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

const app = fastify();
app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
await app.listen({ port: 3000 });
// #endregion fastify
