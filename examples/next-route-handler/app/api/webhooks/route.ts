// #region route
import { createWebhooks } from '@svc/webhooks';

// A function, so that each test can set another secret. Without one, `next build` needs no variable either.
const webhooks = createWebhooks({ secrets: () => process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('evaluated', event.subject.url));

export const POST = webhooks.fetch;
// #endregion route
