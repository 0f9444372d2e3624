// #region patterns
import { createWebhooks } from '@svc/webhooks';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });

webhooks.on('lifecycle.evaluated', (event) => console.log(event.subject.id));
webhooks.on('webhook.*', (event) => console.log(event.type));
webhooks.on(['lifecycle.evaluated', 'webhook.ping'], (event) => console.log(event.created));
// #endregion patterns
