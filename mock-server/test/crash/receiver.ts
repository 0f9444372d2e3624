import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour } from './plan.ts';

/** What the receiver knows of a delivery. */
export interface Seen {
  requests: number;
  /** When the first of them came, on the process's monotonic clock. */
  firstAt: number;
}

/** The receiver of the crash tests, as it was started. */
export type CountingReceiver = Awaited<ReturnType<typeof startCountingReceiver>>;

/** The receiver of the crash tests; counts every request by `webhook-id`. */
export async function startCountingReceiver() {
  const received = new Map<string, Seen>();
  /** Answers that wait until they are let go; undefined while they come by themselves. */
  let held: { id: string; respond(): void }[] | undefined;
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    const seen = received.get(id) ?? { requests: 0, firstAt: performance.now() };
    seen.requests++;
    received.set(id, seen);
    const count = seen.requests;
    request.resume().on('end', () => {
      const respond = () => answer(request.url?.slice(1) as Behaviour, count, response);
      if (held) held.push({ id, respond });
      else respond();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: (behaviour: Behaviour) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${behaviour}`,
    received: received as ReadonlyMap<string, Seen>,
    /** From now on nothing is answered. */
    hold() {
      held = [];
    },
    /** The deliveries that wait for an answer which is held. */
    held: () => (held ?? []).map(({ id }) => id),
    /** Answers what was held. */
    letGo() {
      for (const { respond } of held ?? []) respond();
      held = undefined;
    },
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
