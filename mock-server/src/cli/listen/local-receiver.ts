import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TargetResponse } from './forward.ts';

/** An HTTP server on loopback that receives deliveries from the service. */
export interface LocalReceiver extends AsyncDisposable {
  url: string;
}

/**
 * Only a POST to the receiver's URL counts as a delivery. The URL is hard to guess, so a web page that finds the port
 * can neither send fake deliveries nor reach the target through the receiver.
 *
 * @param take - Responds to a delivery.
 */
export async function startLocalReceiver(
  take: (headers: IncomingHttpHeaders, body: Buffer) => Promise<TargetResponse>,
): Promise<LocalReceiver> {
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method !== 'POST' || incoming.url !== path) {
      outgoing.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { status, headers, body } = await take(incoming.headers, Buffer.concat(chunks));
      outgoing.writeHead(status, headers).end(body);
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}
