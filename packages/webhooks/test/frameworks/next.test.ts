import type { Webhooks } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';
import { serve } from '../support/http-server.ts';
import { describeFramework, type Mounted } from '../support/receiver-suite.ts';

/** Next calls this named export of `app/webhooks/route.ts`. */
type RouteHandler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

const routeOf = (POST: RouteHandler): Mounted => ({
  async post(sent) {
    const request = new Request('https://app.test/webhooks', { method: 'POST', ...sent });
    const response = await POST(request, { params: Promise.resolve({}) });
    return { status: response.status, body: await response.text() };
  },
});

describeFramework("Next's route handler", {
  mount: async (webhooks) => routeOf(webhooks.fetch),
  mountParsed: async (webhooks: Webhooks) =>
    routeOf(async (request) => {
      await request.json();
      return webhooks.fetch(request);
    }),
  parsedCode: 'body_already_read',
});

describeFramework("Next's pages API", {
  mount: (webhooks) => serve(createNodeHandler(webhooks)),
  mountParsed: (webhooks) =>
    serve(async (request, response) => {
      // Without `bodyParser: false`, Next reads the stream and leaves the parsed body.
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      Object.defineProperty(request, 'body', { get: () => JSON.parse(Buffer.concat(pieces).toString()) });
      await createNodeHandler(webhooks)(request, response);
    }),
});
