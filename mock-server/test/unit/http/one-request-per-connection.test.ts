import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createNodeServer } from '../../../src/http/node-server.ts';

/**
 * Starts a server that responds with the body, or the path, and knows how many requests it handled at once.
 *
 * @param waitsForTwo - Whether no request ends before two were handled at once.
 */
async function startServer(waitsForTwo = false) {
  let underWay = 0;
  const two = Promise.withResolvers<void>();
  const seen = { most: 0 };
  const server = createNodeServer(
    async (request) => {
      seen.most = Math.max(seen.most, ++underWay);
      const body = request.method === 'POST' ? await request.text() : new URL(request.url).pathname;
      if (underWay > 1) two.resolve();
      await (waitsForTwo ? two.promise : nextPass());
      underWay--;
      return new Response(`<${body}>`);
    },
    { nextBare: () => 'request' },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, seen, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

const PATHS = Array.from({ length: 500 }, (_, index) => `/${index}`);
const bodiesIn = (response: string) => [...response.matchAll(/<([^>]*)>/g)].map(([, body]) => body);

test('Requests that one connection sends together are handled one after the other, in order', async () => {
  await using server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  const last = 'GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  socket.write(PATHS.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('') + last);
  expect(bodiesIn(await text(socket))).toEqual([...PATHS, '/end']);
  expect(server.seen.most).toBe(1);
});

test('Each of these requests gets its whole body, also if it arrives later', async () => {
  await using server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  const body = 'x'.repeat(100_000);
  const head = (connection: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(`${head('keep-alive')}${body}${head('keep-alive')}${body}${head('close')}${body.slice(0, 10)}`);
  await nextPass();
  socket.write(body.slice(10));
  expect(bodiesIn(await text(socket))).toEqual([body, body, body]);
  expect(server.seen.most).toBe(1);
});

test('Requests of different connections are handled at once, and a lost connection does not stop them', async () => {
  await using server = await startServer(true);
  const lost = connect(server.port, '127.0.0.1');
  lost.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000), () => lost.resetAndDestroy());
  const responses = await Promise.all(
    PATHS.slice(0, 20).map((path) =>
      fetch(`http://127.0.0.1:${server.port}${path}`).then((response) => response.text()),
    ),
  );
  expect(responses).toEqual(PATHS.slice(0, 20).map((path) => `<${path}>`));
  expect(server.seen.most).toBeGreaterThan(1);
});

const REQUESTS = [
  ['without bodies', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['with bodies', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody'],
] as const;

test.each(REQUESTS)('Other connections are served between the requests of one connection %s', async (_, request) => {
  let handled = 0;
  const server = createNodeServer(() => new Response(String(++handled)), { nextBare: () => 'request' });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const busy = connect(port, '127.0.0.1');
  busy.write(request.repeat(2_000));
  await once(busy, 'data');
  const place = Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  busy.destroy();
  server.close().closeAllConnections();
  expect(place).toBeLessThan(1_500);
});

test.each(REQUESTS)('Most requests of a connection %s stay unread until it is their turn', async (_, request) => {
  const { promise: bytesRead, resolve } = Promise.withResolvers<number>();
  let handled = 0;
  const server = createNodeServer(
    async ({ body }) => {
      for await (const _chunk of body ?? []);
      // Time in which the server could read more.
      for (let pass = 0; pass < 3; pass++) await nextPass();
      if (++handled === 50) resolve(accepted?.bytesRead ?? Number.NaN);
      return new Response();
    },
    { nextBare: () => 'request' },
  );
  let accepted: Socket | undefined;
  server.on('connection', (socket) => {
    accepted = socket;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const busy = connect((server.address() as AddressInfo).port, '127.0.0.1');
  busy.write(request.repeat(50_000));
  // Two pieces of 64 KiB.
  expect(await bytesRead).toBeLessThanOrEqual(131_072);
  busy.destroy();
  server.close().closeAllConnections();
});

test('A connection is used again while a test has replaced the timers', async () => {
  await using server = await startServer();
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  try {
    const socket = connect(server.port, '127.0.0.1');
    for (const path of ['/1', '/2']) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const [response] = await once(socket, 'data', { signal: AbortSignal.timeout(5_000) });
      expect(bodiesIn(String(response))).toEqual([path]);
    }
    socket.destroy();
  } finally {
    vi.useRealTimers();
  }
});
