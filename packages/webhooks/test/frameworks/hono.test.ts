import type { Webhooks } from '@svc/webhooks';
import { type Context, Hono } from 'hono';
import type { Sent } from '../support/message.ts';
import { describeFramework, type Mounted } from '../support/receiver-suite.ts';

const mounted = (receive: (context: Context) => Response | Promise<Response>): Mounted => {
  const app = new Hono().post('/webhooks', receive);
  return {
    async post(sent: Sent) {
      const response = await app.request('/webhooks', { method: 'POST', ...sent });
      return { status: response.status, body: await response.text() };
    },
  };
};

describeFramework('Hono', {
  mount: async (webhooks) => mounted((context) => webhooks.fetch(context.req.raw)),
  mountParsed: async (webhooks: Webhooks) =>
    mounted(async (context) => {
      await context.req.json();
      return webhooks.fetch(context.req.raw);
    }),
  parsedCode: 'body_already_read',
});
