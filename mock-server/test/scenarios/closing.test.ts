import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { watchConnections } from '../../src/http/connections.ts';
import { failure, startApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

const CONNECTIONS = 64;
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const RENAME = JSON.stringify({ name: 'Renamed' });
const RENAME_HEAD =
  `PATCH /v1/workspaces/${demo.production.id} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
  `Authorization: Bearer ${demo.production.key}\r\nContent-Type: application/json\r\nContent-Length: ${RENAME.length}\r\n\r\n`;

/** A connection that records its responses. */
class Client {
  readonly socket: Socket;
  text = '';
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
    });
    // The tests notice a reset by the missing answer.
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** For each complete response: its status, whether it says that the connection ends, and its body. */
  get answers() {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n(\{.*?\})(?=HTTP|$)/g)].map(
      ([all, status, body]) => ({
        status: Number(status),
        ends: /^connection: close\r$/im.test(all),
        body: JSON.parse(body ?? ''),
      }),
    );
  }

  /** Sends a request and waits until it is answered or the connection closes. @returns whether it was answered. */
  async ask(request: string): Promise<boolean> {
    const before = this.answers.length;
    this.socket.write(request);
    while (this.answers.length === before && !this.socket.destroyed) {
      await Promise.race([new Promise((resolve) => this.socket.once('data', resolve)), this.closed]);
    }
    return this.answers.length > before;
  }
}

afterEach(() => vi.useRealTimers());

const clientsOf = (port: number) => Array.from({ length: CONNECTIONS }, () => new Client(port));

describe('A server that closes', () => {
  test('answers requests that arrived on idle connections, and says that the connections end', async () => {
    await using api = await startApi();
    const clients = clientsOf(api.server.port);
    await Promise.all(clients.map((client) => client.ask(LIVE)));
    await Promise.all(clients.map(({ socket }) => new Promise((sent) => socket.write(LIVE, sent))));
    await api.server.close();
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { answers } of clients) {
      expect(answers).toEqual([
        { status: 200, ends: false, body: { status: 'ok' } },
        { status: 503, ends: true, body: failure('UNAVAILABLE', expect.any(String)) },
      ]);
    }
  });

  test('answers open requests, says that their connections end, then waits for nothing else', async () => {
    await using api = await startApi();
    const clients = clientsOf(api.server.port);
    await Promise.all(clients.map((client) => client.ask(LIVE)));
    for (const { socket } of clients) socket.write(RENAME_HEAD);
    // Once this is answered, the server has read the heads that were sent before it.
    await api.call('GET', '/health/live');
    const closing = api.server.close();
    for (const { socket } of clients) socket.write(RENAME);
    await closing;
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { answers } of clients) {
      expect(answers[1]).toMatchObject({ status: 200, ends: true, body: { workspace: { name: 'Renamed' } } });
    }
  });

  test('lets a client that is still sending a body read the refusal', async () => {
    await using api = await startApi();
    const clients = clientsOf(api.server.port);
    await Promise.all(clients.map((client) => client.ask(LIVE)));
    await Promise.all(clients.map(({ socket }) => new Promise((sent) => socket.write(RENAME_HEAD, sent))));
    const closing = api.server.close();
    for (const { socket } of clients) socket.write(RENAME);
    await closing;
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { answers } of clients) expect(answers[1]).toMatchObject({ status: 503, ends: true });
  });

  test('closes connections that sent nothing, and those whose last response did not say that they end', async () => {
    // The server's timeout is longer than this test's, so waiting for it fails the test.
    const http = createServer();
    const close = watchConnections(http, Number.POSITIVE_INFINITY, () => {});
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const silent = clientsOf(port);
    const asking = new Client(port);
    asking.socket.write(LIVE);
    const [, response] = await once(http, 'request');
    response.writeHead(200).write('{');
    await Promise.all(silent.map(({ socket }) => socket.readyState === 'open' || once(socket, 'connect')));
    const closed = close({ lingerMs: 0, timeoutMs: 60_000 });
    response.end('}');
    await closed;
    expect(asking.text).toMatch(/^connection: keep-alive\r$/im);
  });

  /** Starts to close a server while it waits for the body of a request. The test moves the timers. */
  async function startDraining() {
    const api = await startApi();
    const client = new Client(api.server.port);
    await client.ask(LIVE);
    client.socket.write(RENAME_HEAD);
    // Once this is answered, the server has read the head that was sent before it.
    await api.call('GET', '/health/live');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isClosed = false;
    const closing = api.server.close().then(() => {
      isClosed = true;
    });
    return {
      client,
      /** The server still has work to do after its last request. */
      async [Symbol.asyncDispose]() {
        await vi.waitFor(() => expect(isClosed).toBe(true));
        await closing;
        vi.useRealTimers();
        await api[Symbol.asyncDispose]();
      },
    };
  }

  test('still accepts the rest of a request after 9,999 ms', async () => {
    await using draining = await startDraining();
    const { client } = draining;
    vi.advanceTimersByTime(9_999);
    client.socket.write(RENAME);
    await client.closed;
    expect(client.answers[1]).toMatchObject({ status: 200, ends: true });
  });

  test('cuts off requests that are still running after 10 s', async () => {
    await using draining = await startDraining();
    const { client } = draining;
    vi.advanceTimersByTime(10_000);
    await client.closed;
    expect(client.answers).toHaveLength(1);
  });

  test('on SIGTERM under load, cuts no connection and answers new ones with 503', async () => {
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const child = spawn('node', [main, '--memory', '--json', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const clients = clientsOf(Number(new URL(url).port));
    const cut = clients.map(async (client) => {
      while (await client.ask(LIVE)) if (client.answers.at(-1)?.ends) return false;
      return true;
    });
    await vi.waitFor(() => {
      for (const { answers } of clients) expect(answers.length).toBeGreaterThan(5);
    });
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(clients.some(({ answers }) => answers.at(-1)?.status === 503)).toBe(true));
    const late = new Client(Number(new URL(url).port));
    expect(await late.ask(LIVE)).toBe(true);
    expect(late.answers).toMatchObject([{ status: 503, ends: true, body: { error: { code: 'UNAVAILABLE' } } }]);
    expect((await Promise.all(cut)).filter(Boolean)).toEqual([]);
    expect(await exited).toEqual([0, null]);
  });

  test('starts no more attempts while open calls are answered, and ends waiting calls with 503', async () => {
    await using api = await startApi({ endpointConcurrency: 2 });
    const held: ServerResponse[] = [];
    let received = 0;
    let answers = false;
    const receiver = createServer((_request, response) => {
      received++;
      if (answers) response.end();
      else held.push(response);
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const credential = demo.production.key;
    await api.call('POST', '/v1/webhooks/endpoints', { credential, body: { url, subscribedEvents: ['*'] } });
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    const { body } = await api.call('POST', '/_control/events', { body: { events: Array(20).fill(event) } });
    await vi.waitFor(() => expect(held).toHaveLength(2));

    const [{ deliveries }] = body.events;
    const waiting = api.call('GET', `/_control/wait?deliveryId=${deliveries[0].id}&status=failed&timeoutMs=60000`);
    // Once this is answered, the server has read the request that was sent before it.
    await api.call('GET', '/health/live');
    const closing = api.server.close();
    answers = true;
    for (const response of held) response.end();
    expect(await waiting).toMatchObject({ status: 503, body: failure('UNAVAILABLE', expect.any(String)) });
    await closing;
    expect(received).toBe(2);
    receiver.close();
  });

  test('stops a clock move that is under way, and answers it with 503', async () => {
    await using api = await startApi();
    const held: ServerResponse[] = [];
    const receiver = createServer((_request, response) => void held.push(response));
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const credential = demo.production.key;
    await api.call('POST', '/v1/webhooks/endpoints', { credential, body: { url, subscribedEvents: ['*'] } });
    await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const moving = api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    await api.call('GET', '/health/live');
    const closing = api.server.close();
    held[0]?.writeHead(500).end();
    expect(await moving).toMatchObject({ status: 503, body: failure('UNAVAILABLE', expect.any(String)) });
    await closing;
    receiver.close();
  });
});
