import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookAnswer } from './answer.ts';
import type { Webhooks } from './create-webhooks.ts';

/**
 * Makes the listener of a `node:http` server, or of a part of one.
 *
 * {@includeCode ../test/documented/node.ts#http}
 */
export function createNodeHandler(
  webhooks: Pick<Webhooks, 'handle'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { status, headers, body } = await webhooks.handle(request);
    // Somebody has answered in the meantime, a timeout perhaps: a second head would throw.
    if (response.headersSent) return;
    response.writeHead(status, { ...headers, ...closing(request) }).end(body);
  };
}

/**
 * Makes a handler for one route of Express 4 or 5. It reads the body itself: the route needs no body parser, and takes the bytes
 * that `express.raw()` leaves. Behind `express.json()` the raw body is gone, and it answers 500 and says so.
 *
 * {@includeCode ../test/documented/express.ts#express}
 */
export function createExpressHandler(
  webhooks: Pick<Webhooks, 'handle'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return createNodeHandler(webhooks);
}

/** Of a request whose body was not read to its end, the rest would be taken for the next request. HTTP/2 has a stream for each, and no such header. */
export function closing({ complete, httpVersionMajor }: IncomingMessage): WebhookAnswer['headers'] {
  return complete || httpVersionMajor > 1 ? {} : { connection: 'close' };
}
