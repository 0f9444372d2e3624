import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour } from './plan.ts';

/** The receiver of the crash test; counts every request by `webhook-id`. */
export async function startCountingReceiver() {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    const count = (received.get(id) ?? 0) + 1;
    received.set(id, count);
    request.resume().on('end', () => answer(request.url?.slice(1) as Behaviour, count, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: (behaviour: Behaviour) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${behaviour}`,
    received: received as ReadonlyMap<string, number>,
    close: () => server.closeAllConnections(),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(behaviour: Behaviour, count: number, response: ServerResponse): void {
  if (behaviour === 'slow') setTimeout(() => response.end(), 20);
  else response.writeHead(behaviour === 'down' || (behaviour === 'flaky' && count % 2 === 1) ? 500 : 200).end();
}
