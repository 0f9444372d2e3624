// #region narrow
import { createWebhooks } from '@svc/webhooks';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });

webhooks.on('*', (event) => {
  if (event.type === 'lifecycle.evaluated') console.log('workspace', event.subject.id);
  else console.log(event.type, event.subject?.url);
});
// #endregion narrow
