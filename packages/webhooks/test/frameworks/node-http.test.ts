import { createNodeHandler } from '@svc/webhooks/node';
import { expect, it } from 'vitest';
import { serve } from '../support/http-server.ts';
import { describeFramework } from '../support/receiver-suite.ts';

describeFramework('node:http', {
  mount: (webhooks) => serve(createNodeHandler(webhooks)),
  mountParsed: (webhooks) =>
    serve(async (request, response) => {
      let text = '';
      for await (const piece of request) text += piece;
      const parsed = Object.assign(request, { body: JSON.parse(text) });
      await createNodeHandler(webhooks)(parsed, response);
    }),
});

it('leaves an answer alone that somebody else has begun, such as a timeout', async () => {
  const finished = Promise.withResolvers<void>();
  const webhooks = {
    async handle() {
      return { status: 200, headers: {}, body: '{}' };
    },
  };
  const mounted = await serve((request, response) => {
    response.writeHead(503).end('too late');
    createNodeHandler(webhooks)(request, response).then(finished.resolve, finished.reject);
  });
  expect(await mounted.post({ headers: {}, body: '' })).toEqual({ status: 503, body: 'too late' });
  await expect(finished.promise).resolves.toBeUndefined();
  await mounted.close?.();
});
