import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that a receiver got. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A receiver on this machine that responds with a status of your choice. */
export interface Receiver extends AsyncDisposable {
  url: string;
  /** Every request, in the order of arrival. */
  received: Received[];
  /** The status that it responds with. */
  status: number;
  /** The path whose responses arrive 20 ms later. */
  slowPath?: string;
}

export async function startReceiver(status = 204): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    if (request.url === receiver.slowPath) await sleep(20);
    response.writeHead(receiver.status, { 'x-receiver': 'test' }).end(receiver.status === 204 ? undefined : 'no');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    status,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The signature as the service document describes it, computed without the server's code. */
export function expectedSignature(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64url');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
