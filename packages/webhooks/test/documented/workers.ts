// #region workers
import { createWebhooks, type Webhooks } from '@svc/webhooks';

let webhooks: Webhooks | undefined;

export default {
  fetch(request: Request, environment: { WEBHOOK_SECRET: string }): Promise<Response> {
    webhooks ??= createWebhooks({ secrets: environment.WEBHOOK_SECRET });
    return webhooks.fetch(request);
  },
};
// #endregion workers
