// #region create
import { createWebhooks } from '@svc/webhooks';

const webhooks = createWebhooks({ secrets: process.env['WEBHOOK_SECRET'] ?? '' });

export async function receive(request: Request): Promise<Response> {
  const delivery = await webhooks.verifyRequest(request);
  console.log(delivery.id, delivery.event.type);
  return new Response(null, { status: 204 });
}
// #endregion create
