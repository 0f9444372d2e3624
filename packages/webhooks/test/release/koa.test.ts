import { createKoaHandler } from '@svc/webhooks/node';
import Koa from 'koa';
import { expect, it } from 'vitest';
import { serve } from '../support/http-server.ts';
import { signedMessage } from '../support/message.ts';
import { webhooks } from '../support/receiver.ts';
import { describeFramework } from '../support/receiver-suite.ts';

describeFramework('Koa', {
  mount: (webhooks) => serve(new Koa().use(createKoaHandler(webhooks)).callback()),
  mountParsed: (webhooks) =>
    serve(
      new Koa()
        .use(async (context, next) => {
          let text = '';
          for await (const piece of context.req) text += piece;
          Object.assign(context.request, { body: JSON.parse(text) });
          await next();
        })
        .use(createKoaHandler(webhooks))
        .callback(),
    ),
});

it('reads a request once if two handlers ask at once, and tells the second that it was read', async () => {
  const mounted = await serve(
    new Koa()
      .use(async (context) => {
        const { req } = context;
        const contexts = ['first', 'second'].map(() => ({
          req,
          request: {},
          status: 0,
          body: '' as unknown,
          set() {},
        }));
        await Promise.all(contexts.map(createKoaHandler(webhooks)));
        context.body = contexts.map(({ body }) => JSON.parse(`${body}`));
      })
      .callback(),
  );
  const answer = await mounted.post(signedMessage() as never);
  expect(JSON.parse(answer.body)).toMatchObject([{ outcome: 'unhandled' }, { code: 'body_already_read' }]);
  await mounted.close?.();
});
