import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PATIENCE_MS } from './patience.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  port: number;
  received: Received[];
  /** The status of the next responses. A check can change this status. */
  status: number;
  /** If this function is set, it responds instead, and `status` is not used. */
  respond: ((response: ServerResponse, request: IncomingMessage) => void) | undefined;
  /** Waits until `count` requests have arrived. Rejects if the wait is longer than {@link PATIENCE_MS}. */
  arrived(count: number): Promise<void>;
}

export async function startReceiver(status: number): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    if (receiver.respond) receiver.respond(response, request);
    else response.writeHead(receiver.status).end(receiver.status === 204 ? undefined : 'response');
    server.emit('received');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    status,
    respond: undefined,
    async arrived(count) {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      try {
        while (received.length < count) await once(server, 'received', { signal: patience });
      } catch (cause) {
        throw new Error(`Only ${received.length} of ${count} requests arrived within a minute.`, { cause });
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
