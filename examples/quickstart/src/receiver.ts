import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createWebhooks, type Delivery, WebhookError } from '@svc/webhooks';

/** A webhook receiver on plain `node:http`. One call verifies the raw body. */
export interface Receiver extends AsyncDisposable {
  url: string;
  /** The endpoint's signing secret. Set this field to the secret that you get when you create the endpoint. */
  secret: string | undefined;
  /** Waits for the next verified delivery, and returns it. */
  next(): Promise<Delivery>;
  /** The error codes of all rejected requests. */
  refused: string[];
}

export async function startReceiver(): Promise<Receiver> {
  const waiting: ((delivery: Delivery) => void)[] = [];
  const arrived: Delivery[] = [];
  const refused: string[] = [];

  const server = createServer(async (request, response) => {
    try {
      const delivery = await verify(request);
      const taker = waiting.shift();
      if (taker) taker(delivery);
      else arrived.push(delivery);
      response.writeHead(204).end();
    } catch (error) {
      if (!WebhookError.is(error)) throw error;
      refused.push(error.code);
      response.writeHead(error.status).end(error.code);
    }
  });

  async function verify(request: IncomingMessage): Promise<Delivery> {
    const webhooks = createWebhooks({ secrets: receiver.secret ?? [] });
    return await webhooks.verifyRequest(request);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    secret: undefined,
    refused,
    next: async () => arrived.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
