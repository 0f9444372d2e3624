// #region ack
import { createWebhooks, type ExecutionContext, type Webhooks } from '@svc/webhooks';

interface Env {
  WEBHOOK_SECRET: string;
  JOBS: { put(key: string, value: string): Promise<void> };
}

let webhooks: Webhooks<Env> | undefined;

function receiver(env: Env): Webhooks<Env> {
  const created = createWebhooks<Env>({ secrets: env.WEBHOOK_SECRET, ack: 'first' });
  created.on('lifecycle.evaluated', (event, delivery, { JOBS }) => JOBS.put(delivery.id, event.subject.url));
  return created;
}

export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    webhooks ??= receiver(env);
    return webhooks.fetch(request, env, ctx);
  },
};
// #endregion ack
