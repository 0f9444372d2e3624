import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStreamedBody, STREAM_SILENCE_MS } from '../../src/http/body.ts';
import { createNodeServer } from '../../src/http/node-server.ts';

const REQUEST_MAX_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Resolves when the server has handled what it read and waits for more. */
const isWaiting = () => new Promise((resolve) => setImmediate(resolve));

/** Starts a server with one call that reads the whole body at once, and one that streams it. */
async function startSlowServer() {
  let reading = Promise.withResolvers<void>();
  let isCutOff = false;
  const app = new Hono();
  app.post('/whole', async (c) => {
    reading.resolve();
    const body = await c.req.arrayBuffer().catch(() => {
      isCutOff = true;
      return new ArrayBuffer();
    });
    return c.text(`read ${body.byteLength}`);
  });
  app.post('/stream', async (c) => {
    let bytes = 0;
    try {
      for await (const chunk of openStreamedBody(c).chunks) {
        bytes += chunk.length;
        reading.resolve();
      }
    } catch (error) {
      return c.text(`${(error as Error).message} ${bytes}`, 400);
    }
    return c.text(`read ${bytes}`);
  });
  const server = createNodeServer(app.fetch, { nextBare: () => 'ID' });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    /** Sends the headers and a part of the body, and waits until the server reads. */
    async send(path: string, { allowHalfOpen = false } = {}) {
      const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen });
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nContent-Length: 10\r\n\r\n`,
      );
      socket.write('1234');
      await reading.promise;
      await isWaiting();
      return { socket, answer: () => answer };
    },
    /** Whether a call failed to read the whole body. */
    isCutOff: () => isCutOff,
    /** Resolves when the streaming call has read what is sent from now on. */
    async read() {
      reading = Promise.withResolvers();
      await reading.promise;
      await isWaiting();
    },
    async [Symbol.asyncDispose]() {
      vi.useRealTimers();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('A body', () => {
  test('that does not arrive within a minute causes a 408, and its connection is closed', async () => {
    await using server = await startSlowServer();
    const { socket, answer } = await server.send('/whole');
    vi.advanceTimersByTime(REQUEST_MAX_MS - 1);
    expect(socket.readyState).toBe('open');
    vi.advanceTimersByTime(1);
    await once(socket, 'end');
    expect(answer()).toMatch(/^HTTP\/1\.1 408 .*"message":"The request was not sent in time\."/s);
  });

  test('whose client does not close its side after the 408 ends half a second later', async () => {
    await using server = await startSlowServer();
    const { socket } = await server.send('/whole', { allowHalfOpen: true });
    vi.advanceTimersByTime(REQUEST_MAX_MS);
    await once(socket, 'end');
    vi.advanceTimersByTime(499);
    await isWaiting();
    expect(server.isCutOff()).toBe(false);
    vi.advanceTimersByTime(1);
    for (let pass = 0; pass < 1_000 && !server.isCutOff(); pass++) await isWaiting();
    expect(server.isCutOff()).toBe(true);
  });

  test('that arrives a millisecond before the minute ends is read', async () => {
    await using server = await startSlowServer();
    const { socket, answer } = await server.send('/whole');
    vi.advanceTimersByTime(REQUEST_MAX_MS - 1);
    socket.write('567890');
    await once(socket, 'data');
    vi.advanceTimersByTime(REQUEST_MAX_MS);
    expect(answer()).toMatch(/^HTTP\/1\.1 200 .*read 10/s);
  });

  test('that is streamed may take longer than a minute', async () => {
    await using server = await startSlowServer();
    const { socket, answer } = await server.send('/stream');
    for (let sent = 0; sent < 2; sent++) {
      vi.advanceTimersByTime(STREAM_SILENCE_MS - 1);
      const isRead = server.read();
      socket.write('5');
      await isRead;
    }
    vi.advanceTimersByTime(STREAM_SILENCE_MS - 1);
    socket.write('7890');
    await once(socket, 'data');
    expect(answer()).toMatch(/^HTTP\/1\.1 200 .*read 10/s);
  });

  test('that is streamed is rejected after a minute without a byte', async () => {
    await using server = await startSlowServer();
    const { socket, answer } = await server.send('/stream');
    vi.advanceTimersByTime(STREAM_SILENCE_MS);
    await once(socket, 'data');
    expect(answer()).toMatch(/^HTTP\/1\.1 400 .*No data arrived for a minute\. 4/s);
  });
});
