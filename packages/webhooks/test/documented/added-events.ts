// #region added
import { createWebhooks } from '@svc/webhooks';

declare global {
  /** Maps each event type that your service adds to its subject. */
  interface SvcEventTypes {
    'invoice.paid': { id: string; type: 'invoice'; url: string };
  }
}

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });
webhooks.on('invoice.paid', (event) => console.log('retrieve', event.subject.url));
// #endregion added
