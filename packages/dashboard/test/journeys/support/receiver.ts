import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A receiver of webhooks on this machine. */
export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** The status of its responses. */
  answer(status: number, body?: string | Buffer): void;
  /** Chooses the status by the request instead. */
  decide: ((request: Received) => number) | undefined;
  /** It answers after this promise resolves. */
  before: Promise<void> | undefined;
}

export async function startReceiver(status = 204, body: string | Buffer = ''): Promise<Receiver> {
  let answer = { status, body };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const received = { headers: request.headers as Record<string, string>, body: text };
    receiver.received.push(received);
    await receiver.before;
    response.writeHead(receiver.decide?.(received) ?? answer.status, { 'content-type': 'text/html' }).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    decide: undefined,
    before: undefined,
    answer(status, body = '') {
      answer = { status, body };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
