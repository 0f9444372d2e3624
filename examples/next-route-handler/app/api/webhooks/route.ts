// #region route
import { createWebhooks } from '@svc/webhooks';

// Pass a function, so that each test can set its own secret. With a function, `next build` works even if the variable
// WEBHOOK_SECRET is not set.
const webhooks = createWebhooks({ secrets: () => process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('evaluated', event.subject.url));

export const POST = webhooks.fetch;
// #endregion route
