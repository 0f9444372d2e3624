import { createWebhooks, memoryDedupe } from '@svc/webhooks';

// #region dedupe
export const webhooks = createWebhooks({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  dedupe: memoryDedupe(),
});
// #endregion dedupe
