// The program of a customer who has installed @svc/client and @svc/webhooks. The program registers a receiver with the
// service, asks for a test event, verifies the delivery and prints a line. It runs in every Node version that the
// packages support.
//
//   node receive-a-delivery.mjs <base URL> <API key>
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '@svc/client';
import { createWebhooks } from '@svc/webhooks';

const [baseUrl, apiKey] = process.argv.slice(2);
const svc = createClient({ baseUrl, apiKey });
let signingSecret = '';
const webhooks = createWebhooks({ secrets: () => signingSecret });

const verified = Promise.withResolvers();
const receiver = createServer(async (request, response) => {
  try {
    verified.resolve(await webhooks.verifyRequest(request));
    response.writeHead(204).end();
  } catch (error) {
    verified.reject(error);
    response.writeHead(400).end();
  }
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');

const { endpoint, secret } = await svc.webhooks.endpoints.create({
  url: `http://127.0.0.1:${receiver.address().port}/`,
  subscribedEvents: ['*'],
});
signingSecret = secret.secret;
await svc.webhooks.endpoints.sendTestEvent(endpoint.id);
const { event } = await verified.promise;
console.log(process.version, 'verified', event.type);

receiver.close();
receiver.closeIdleConnections();
