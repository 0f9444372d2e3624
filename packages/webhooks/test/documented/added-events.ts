// #region added
import { createWebhooks } from '@svc/webhooks';

declare module '@svc/webhooks' {
  /** Event types that your service adds, each with its subject. */
  interface AddedEvents {
    'invoice.paid': { id: string; type: 'invoice'; url: string };
  }
}

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('invoice.paid', (event) => console.log('retrieve', event.subject.url));
// #endregion added
