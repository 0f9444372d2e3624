import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { connectionsMax } from '../../src/http/connections.ts';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';

/** A client's connection. */
async function connectTo(api: TestApi) {
  const socket: Socket = connect(api.server.port, '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  /** Sends text, and waits for a response that contains other text. */
  async function say(text: string, expected: string): Promise<void> {
    received = '';
    socket.write(text);
    await vi.waitFor(() => expect(received).toContain(expected));
  }
  return {
    isClosed: () => isClosed,
    send: (text: string) => void socket.write(text),
    received: () => received,
    get: () => say('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '"status":"ok"'),
    /** Begins a request and leaves it unfinished. */
    begin: (key: string = demo.production.key) =>
      say(
        'POST /v1/webhooks/endpoints HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n' +
          `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
        '100 Continue',
      ),
    end: () => say('{}', '400 Bad Request'),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

describe('At the limit of connections', () => {
  test('the connection that has been idle for the longest time gives way', async () => {
    await using api = await startApi({ maxConnections: 3 });
    using first = await connectTo(api);
    using second = await connectTo(api);
    using third = await connectTo(api);
    for (const client of [first, second, third, first]) await client.get();
    using fourth = await connectTo(api);
    await fourth.get();
    await vi.waitFor(() => expect(second.isClosed()).toBe(true));
    for (const client of [first, third, fourth]) await client.get();
  });

  test('a connection that never sends anything gives way too', async () => {
    await using api = await startApi({ maxConnections: 2 });
    using silent = await connectTo(api);
    using busy = await connectTo(api);
    await busy.begin();
    using other = await connectTo(api);
    await other.get();
    await vi.waitFor(() => expect(silent.isClosed()).toBe(true));
    await busy.end();
  });

  test('requests are not cut off: a new connection is closed until one of them ends', async () => {
    await using api = await startApi({ maxConnections: 2 });
    using first = await connectTo(api);
    using second = await connectTo(api);
    await first.begin();
    await second.begin();
    using refused = await connectTo(api);
    await vi.waitFor(() => expect(refused.isClosed()).toBe(true));
    expect(refused.received()).toBe('');
    await second.end();
    using accepted = await connectTo(api);
    await accepted.get();
    await first.end();
  });

  test('a request that has been on its way for five seconds gives way, and a younger one does not', async () => {
    await using api = await startApi({ maxConnections: 2 });
    using now = vi.spyOn(performance, 'now').mockReturnValue(0);
    using slow = await connectTo(api);
    await slow.begin();
    now.mockReturnValue(1);
    using young = await connectTo(api);
    await young.begin();
    now.mockReturnValue(4_999);
    using refused = await connectTo(api);
    await vi.waitFor(() => expect(refused.isClosed()).toBe(true));
    expect(slow.isClosed()).toBe(false);
    now.mockReturnValue(5_000);
    using accepted = await connectTo(api);
    await accepted.get();
    await vi.waitFor(() => expect(slow.isClosed()).toBe(true));
    await young.end();
  });

  test('a request that waits for its turn gives way, so one credential cannot use all connections', async () => {
    await using api = await startApi({ maxConnections: 6 });
    await using clients = new AsyncDisposableStack();
    const connected = async () => clients.use(await connectTo(api));
    const served = await Promise.all(Array.from({ length: 4 }, connected));
    for (const client of served) await client.begin();
    const waiting = await connected();
    waiting.send(`GET /v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${demo.production.key}\r\n\r\n`);
    // The response to this client shows that the waiting request has arrived.
    const other = await connected();
    await other.get();
    await other.begin(demo.staging.key);
    const next = await connected();
    await next.get();
    expect([...served, other, waiting].map((client) => client.isClosed())).toEqual([...Array(5).fill(false), true]);
    for (const client of served) await client.end();
  });

  test('an import that has been on its way for long does not give way', async () => {
    await using api = await startApi({ maxConnections: 1 });
    using now = vi.spyOn(performance, 'now').mockReturnValue(0);
    using importing = await connectTo(api);
    importing.send(
      `PUT /_control/workspaces/${demo.production.id}/profiles HTTP/1.1\r\nHost: 127.0.0.1:${api.server.port}\r\n` +
        'Expect: 100-continue\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1\r\n\r\n',
    );
    await vi.waitFor(() => expect(importing.received()).toContain('100 Continue'));
    now.mockReturnValue(60_000);
    using refused = await connectTo(api);
    await vi.waitFor(() => expect(refused.isClosed()).toBe(true));
    importing.send('\n');
    await vi.waitFor(() => expect(importing.received()).toContain('"upserted":0'));
  });

  test('connections that wait for the refusal of a wrong admin token give way', async () => {
    await using api = await startApi({ maxConnections: 8, adminToken: TEST_ADMIN_TOKEN });
    const guess = 'GET /_control/info HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wrong\r\n\r\n';
    const guessers = await Promise.all(Array.from({ length: 8 }, () => connectTo(api)));
    for (const guesser of guessers) guesser.send(guess.replace('127.0.0.1', `127.0.0.1:${api.server.port}`).repeat(10));
    await vi.waitFor(() => expect(guessers.some((one) => one.received().includes('401'))).toBe(true));
    for (let count = 0; count < 3; count++) {
      using client = await connectTo(api);
      await client.get();
    }
    for (const guesser of guessers) guesser[Symbol.dispose]();
  });

  describe('a response that nobody reads', () => {
    /** Sends many requests and reads no response, until the server waits for the reader. */
    async function stall(api: TestApi, path: string, credential?: string): Promise<Socket> {
      const socket = connect(api.server.port, '127.0.0.1');
      socket.on('error', () => {}).pause();
      await once(socket, 'connect');
      const authorization = credential === undefined ? '' : `Authorization: Bearer ${credential}\r\n`;
      const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.server.port}\r\n${authorization}\r\n`;
      socket.write(request.repeat(100));
      await sleep(1_000);
      return socket;
    }

    test('gives way if the caller is unknown', async () => {
      await using api = await startApi({ maxConnections: 1 });
      await stall(api, '/openapi.json');
      using client = await connectTo(api);
      await client.get();
    });

    test('does not give way if the caller has the admin token', async () => {
      await using api = await startApi({ maxConnections: 1, adminToken: TEST_ADMIN_TOKEN });
      const stalled = await stall(api, '/_control/openapi.json', TEST_ADMIN_TOKEN);
      using client = await connectTo(api);
      await vi.waitFor(() => expect(client.isClosed()).toBe(true));
      stalled.destroy();
    });
  });

  test('deliveries go on', async () => {
    await using api = await startApi({ maxConnections: 1, retryDelaysMs: [100] });
    await using receiver = await startReceiver(500);
    const as = { credential: demo.production.key };
    await api.call('POST', '/v1/webhooks/endpoints', {
      ...as,
      body: { url: receiver.url, subscribedEvents: ['lifecycle.*'] },
    });
    await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    });
    using busy = await connectTo(api);
    await busy.begin();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    await busy.end();
  });
});

test.each([
  ['a laptop', 768, 1_048_576, 1_047_552],
  ['a small limit', 768, 1_024, 256],
  ['a small limit and few attempts', 100, 1_024, 668],
  ['no limit', 768, undefined, Number.POSITIVE_INFINITY],
])('by default, %s leaves room for attempts and the database', (_what, concurrency, openFilesMax, expected) => {
  expect(connectionsMax(concurrency, openFilesMax)).toBe(expected);
});
