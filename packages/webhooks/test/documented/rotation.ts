// #region rotation
import { createWebhooks } from '@svc/webhooks';

const secrets = [process.env['WEBHOOK_SECRET'], process.env['WEBHOOK_SECRET_PREVIOUS']].filter((secret) => !!secret);

export const webhooks = createWebhooks({ secrets: secrets as string[] });

webhooks.on('*', (_event, delivery) => {
  if (delivery.secretIndex > 0) console.info('still signed with the previous secret');
});
// #endregion rotation
