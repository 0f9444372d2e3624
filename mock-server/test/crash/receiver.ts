import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour } from './plan.ts';

/** A request as the receiver saw it. Times are on the process's monotonic clock. */
export interface Request {
  at: number;
  /** When its response was sent or its sender disconnected, if either happened. */
  endedAt?: number;
  hasResponse: boolean;
}

/** What the receiver knows about a delivery. */
export interface Seen {
  /** In the order of their arrival. */
  requests: Request[];
  /** Whether a `fickle` receiver rejects it. */
  isRefused: boolean;
}

/** A running receiver of the crash tests. */
export type CountingReceiver = Awaited<ReturnType<typeof startCountingReceiver>>;

/** Starts the receiver of the crash tests, which records every request by `webhook-id`. */
export async function startCountingReceiver() {
  const received = new Map<string, Seen>();
  /** Responses that wait for `letGo`, or `undefined` while the receiver responds at once. */
  let held: { id: string; respond(): void }[] | undefined;
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    const seen = received.get(id) ?? { requests: [], isRefused: Math.random() < 0.5 };
    const arrived: Request = { at: performance.now(), hasResponse: false };
    const count = seen.requests.push(arrived);
    received.set(id, seen);
    const ended = (hasResponse: boolean) => {
      if (arrived.endedAt === undefined) Object.assign(arrived, { endedAt: performance.now(), hasResponse });
    };
    response.on('finish', () => ended(true)).on('close', () => ended(false));
    request.resume().on('end', () => {
      const respond = () => answer(request.url?.slice(1) as Behaviour, { count, ...seen }, response);
      if (held) held.push({ id, respond });
      else respond();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: (behaviour: Behaviour) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${behaviour}`,
    received: received as ReadonlyMap<string, Seen>,
    /** Holds back all responses from now on. */
    hold() {
      held = [];
    },
    /** The deliveries whose responses are held back. */
    held: () => (held ?? []).map(({ id }) => id),
    /** Sends the responses that were held back, and responds at once from now on. */
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

function answer(
  behaviour: Behaviour,
  { count, isRefused }: { count: number; isRefused: boolean },
  response: ServerResponse,
): void {
  if (behaviour === 'slow') {
    setTimeout(() => response.end(), 20);
    return;
  }
  const refuses =
    behaviour === 'down' || (behaviour === 'flaky' && count % 2 === 1) || (behaviour === 'fickle' && isRefused);
  response.writeHead(refuses ? 500 : 200).end();
}
