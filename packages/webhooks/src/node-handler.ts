import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkReceiver } from './check-receiver.ts';
import type { Webhooks } from './create-webhooks.ts';
import type { WebhookResponse } from './response.ts';

/** The third argument of handlers with {@link createNodeHandler} and {@link createExpressHandler}. */
export interface NodeContext {
  req: IncomingMessage;
  res: ServerResponse;
}

/**
 * Creates a request listener for a `node:http` server. You can use it for all paths of the server or only for some.
 *
 * {@includeCode ../test/documented/node.ts#http}
 */
export function createNodeHandler(
  webhooks: Pick<Webhooks<NodeContext>, 'handle'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  checkReceiver(webhooks);
  return async (request, response) => {
    const { status, headers, body } = await webhooks.handle(request, { req: request, res: response });
    // Other code, such as a timeout, may have responded already. Writing a second response head would throw.
    if (response.headersSent) return;
    response.writeHead(status, { ...headers, ...closing(request) }).end(body);
  };
}

/**
 * Creates a handler for one route of Express 4 or 5. The handler reads the body itself, so the route needs no body
 * parser. The handler also accepts the bytes from `express.raw()`. After `express.json()`, the raw body is lost, so
 * the handler responds with 500 and logs this mistake.
 *
 * {@includeCode ../test/documented/express.ts#express}
 */
export function createExpressHandler(
  webhooks: Pick<Webhooks<NodeContext>, 'handle'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return createNodeHandler(webhooks);
}

/**
 * If the body was not read to its end, returns a header that closes the connection. On an HTTP/1 connection, the unread
 * rest of the body would otherwise come before the next request. HTTP/2 does not need the header, because each request
 * has its own stream.
 */
export function closing({ complete, httpVersionMajor }: IncomingMessage): WebhookResponse['headers'] {
  return complete || httpVersionMajor > 1 ? {} : { connection: 'close' };
}
