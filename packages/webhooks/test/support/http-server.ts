import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mounted } from './receiver-suite.ts';

/** Serves a listener on a free port of the loopback interface, and posts to it. */
export async function serve(listener: RequestListener, path = '/webhooks'): Promise<Mounted> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    post: (sent) => postTo(`http://127.0.0.1:${port}${path}`, sent),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Posts over HTTP. */
export async function postTo(url: string, sent: { headers: Record<string, string>; body: string }) {
  const response = await fetch(url, { method: 'POST', headers: sent.headers, body: sent.body });
  return { status: response.status, body: await response.text() };
}
