import { createNodeHandler } from '@svc/webhooks/node';
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
