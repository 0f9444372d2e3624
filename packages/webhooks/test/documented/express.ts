// #region express
import { createWebhooks } from '@svc/webhooks';
import { createExpressHandler } from '@svc/webhooks/node';
import express from 'express';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

const app = express();
app.post('/webhooks', createExpressHandler(webhooks));
app.use(express.json());
app.listen(3000);
// #endregion express
