import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createNodeServer } from '../../src/http/node-server.ts';

const UNREAD_MS = 2_000;
/** More than the buffers of the operating system take. */
const LARGE = 'x'.repeat(32 * 1_024 * 1_024);

async function serve(respond: () => Response | Promise<Response>) {
  const http = createNodeServer(respond, { nextBare: () => 'req' }, { unreadResponseMs: UNREAD_MS });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as { port: number };
  return {
    connect() {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
      return socket;
    },
    open: () => new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

test('a connection whose response nobody reads is closed', async () => {
  await using server = await serve(() => new Response(LARGE));
  const client = server.connect();
  client.pause();
  await once(client, 'connect');
  await expect.poll(server.open).toBe(1);
  await expect.poll(server.open).toBe(0);
  client.destroy();
});

test('a client that reads slowly gets the whole response', async () => {
  await using server = await serve(() => new Response(LARGE));
  const client = server.connect();
  let [bytes, pauses] = [0, 0];
  for await (const chunk of client) {
    bytes += chunk.length;
    if (bytes > LARGE.length) break;
    if (bytes < (pauses + 1) * (LARGE.length / 8)) continue;
    // All pauses together take longer than the limit. Each alone does not.
    pauses++;
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, UNREAD_MS / 4);
    await promise;
  }
  expect(bytes).toBeGreaterThan(LARGE.length);
  expect(pauses).toBeGreaterThan(4);
});

test('a client may wait for its response for longer', async () => {
  const response = Promise.withResolvers<Response>();
  await using server = await serve(() => response.promise);
  const client = server.connect();
  const timedOut = once(client.setTimeout(1.5 * UNREAD_MS), 'timeout');
  await timedOut;
  response.resolve(new Response('late'));
  const [chunk] = await once(client, 'data');
  expect(String(chunk)).toContain('late');
  client.destroy();
});
