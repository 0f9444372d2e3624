// #region route
import { createWebhooks } from '@svc/webhooks';

// In a Next.js project this file is app/api/webhooks/route.ts.
const webhooks = createWebhooks({ secrets: () => process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('lifecycle.evaluated', (event) => console.log('evaluated', event.subject.url));

export const POST = webhooks.fetch;
// #endregion route
