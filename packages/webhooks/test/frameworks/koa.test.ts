import { createKoaHandler } from '@svc/webhooks/node';
import Koa from 'koa';
import { serve } from '../support/http-server.ts';
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
