// #region rotation
import { createWebhooks } from '@svc/webhooks';

const { WEBHOOK_SECRET: current = '', WEBHOOK_SECRET_PREVIOUS: previous } = process.env;

export const webhooks = createWebhooks({ secrets: previous ? [current, previous] : current });

webhooks.on('*', (_event, delivery) => {
  if (delivery.secretIndex > 0) console.info('still signed with the previous secret');
});
// #endregion rotation
