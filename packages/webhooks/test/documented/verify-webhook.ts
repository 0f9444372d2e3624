// #region verify
import { verifyWebhook } from '@svc/webhooks';

export function receive(rawBody: Uint8Array, headers: Headers) {
  const delivery = verifyWebhook({
    secrets: process.env['WEBHOOK_SECRET'] ?? '',
    headers,
    body: rawBody,
  });
  if (delivery.known && delivery.event.type === 'lifecycle.evaluated') {
    console.log('retrieve', delivery.event.subject.url);
  }
}
// #endregion verify
