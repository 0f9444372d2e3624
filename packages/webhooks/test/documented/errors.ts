// #region error
import { WebhookError, type Webhooks } from '@svc/webhooks';

export async function receive(webhooks: Webhooks, request: Request): Promise<Response> {
  try {
    const delivery = await webhooks.verifyRequest(request);
    return Response.json({ received: delivery.id });
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    console.warn(error.code, error.hint);
    return new Response(error.code, { status: error.status });
  }
}
// #endregion error
