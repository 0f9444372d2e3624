// #region http
import { createServer } from 'node:http';
import { createWebhooks } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

createServer(createNodeHandler(webhooks)).listen(3000, () => console.log('Listening on port 3000'));
// #endregion http
