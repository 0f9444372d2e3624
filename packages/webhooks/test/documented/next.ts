// #region next
import { createWebhooks } from '@svc/webhooks';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('retrieve', event.subject.url));

export const POST = webhooks.fetch;
// #endregion next
