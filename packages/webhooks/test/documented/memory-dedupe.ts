// #region dedupe
import { createWebhooks, memoryDedupe } from '@svc/webhooks';

export const webhooks = createWebhooks({
  secrets: process.env['WEBHOOK_SECRET'] ?? '',
  dedupe: memoryDedupe(),
});
// #endregion dedupe
