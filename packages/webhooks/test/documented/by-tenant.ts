// #region tenant
import { createWebhooks } from '@svc/webhooks';
import { createExpressHandler, type NodeContext } from '@svc/webhooks/node';
import express from 'express';

/** The signing secret of each tenant. */
const secretsByTenant = new Map([['acme', process.env['ACME_WEBHOOK_SECRET'] ?? '']]);

const webhooks = createWebhooks<NodeContext>({
  secrets: ({ url = '' }) => secretsByTenant.get(url.split('/')[2] ?? '') ?? '',
});
webhooks.on('lifecycle.evaluated', (event, delivery, { req }) => {
  console.log(req.url, event.subject.url, delivery.headers['traceparent']);
});

const app = express();
app.post('/webhooks/:tenant', createExpressHandler(webhooks));
app.listen(3000);
// #endregion tenant
