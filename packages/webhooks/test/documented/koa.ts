// #region koa
import { createWebhooks } from '@svc/webhooks';
import { createKoaHandler } from '@svc/webhooks/node';
import Koa from 'koa';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

const receive = createKoaHandler(webhooks);
const app = new Koa();
app.use((context, next) => (context.path === '/webhooks' ? receive(context) : next()));
app.listen(3000);
// #endregion koa
