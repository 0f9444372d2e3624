// #region added
import { createWebhooks } from '@svc/webhooks';

declare module '@svc/webhooks' {
  /** Maps each event type that your service adds to its subject. */
  interface AddedEvents {
    'invoice.paid': { id: string; type: 'invoice'; url: string };
  }
}

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('invoice.paid', (event) => console.log('retrieve', event.subject.url));
// #endregion added
