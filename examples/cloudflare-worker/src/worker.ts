// #region worker
import { createWebhooks, type Webhooks } from '@svc/webhooks';

interface Environment {
  WEBHOOK_SECRET: string;
}

let webhooks: Webhooks | undefined;

export default {
  async fetch(request: Request, { WEBHOOK_SECRET }: Environment): Promise<Response> {
    // A worker receives its secrets with each request, so create `webhooks` on the first request.
    if (!webhooks) {
      webhooks = createWebhooks({ secrets: WEBHOOK_SECRET });
      webhooks.on('lifecycle.evaluated', (event) => console.log('evaluated', event.subject.url));
    }
    return await webhooks.fetch(request);
  },
};
// #endregion worker
