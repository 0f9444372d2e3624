import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 50;

/** Measures the time from a call that causes an event until the first attempt reaches the receiver's socket. */
export async function startProbe(
  call: (method: string, path: string, body?: object) => Promise<never>,
  workspaceId: string,
) {
  /** The arrival time of each event. An event may arrive before the response to the call that caused the event. */
  const arrivedAt = new Map<string, number>();
  const receiver = createServer((request, response) => {
    const at = performance.now();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      arrivedAt.set((JSON.parse(Buffer.concat(parts).toString()) as { id: string }).id, at);
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Causes events until `isOver` returns true. @returns the latencies in milliseconds, ascending. */
    async measure(isOver: () => boolean): Promise<number[]> {
      const latencies: number[] = [];
      while (!isOver()) {
        const startedAt = performance.now();
        const { event } = (await call('POST', '/_control/events', { workspaceId, type: 'lifecycle.evaluated' })) as {
          event: { id: string };
        };
        while (!arrivedAt.has(event.id)) await pause(1);
        latencies.push(Number(arrivedAt.get(event.id)) - startedAt);
        arrivedAt.delete(event.id);
        await pause(INTERVAL_MS);
      }
      return latencies.sort((a, b) => a - b);
    },
    close: () => {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
