import type { Webhooks } from '@svc/webhooks';
import { fastifyWebhooks } from '@svc/webhooks/fastify';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { postTo } from '../support/http-server.ts';
import { webhooks as atTestClock } from '../support/receiver.ts';
import { describeFramework, type Mounted } from '../support/receiver-suite.ts';

async function listen(app: ReturnType<typeof fastify>): Promise<Mounted> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { post: (sent) => postTo(`${address}/webhooks`, sent), close: () => app.close() };
}

describeFramework('Fastify', {
  mount: (webhooks) => listen(fastify().register(fastifyWebhooks, { webhooks, prefix: '/webhooks' })),
  mountParsed: (webhooks: Webhooks) =>
    listen(
      fastify().post('/webhooks', async (request, reply) => {
        const { status, body } = await webhooks.handle(Object.assign(request.raw, { body: request.body }));
        return reply.code(status).send(body);
      }),
    ),
});

it('Fastify still parses the bodies of other routes', async () => {
  const app = fastify().register(fastifyWebhooks, { webhooks: atTestClock, path: '/webhooks' });
  app.post('/other', async (request) => request.body);
  const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
  expect(answer.json()).toEqual({ a: 1 });
  await app.close();
});
