import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { boundedFetch } from '../../src/cli/bounded-fetch.ts';
import { createForwarder } from '../../src/cli/listen/forward.ts';
import { createControlClient } from '../../src/control-client/client.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Writes for as long as the client reads. */
const endless: RequestListener = (_request, response) => {
  const write = () => {
    while (response.write(CHUNK));
  };
  response.writeHead(207).on('drain', write);
  write();
};

async function serve(respond: RequestListener) {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('A command', () => {
  test('stops reading an endless response, and asks whether the URL is right', async () => {
    await using server = await serve(endless);
    const { readClock } = createControlClient({ baseUrl: server.url, fetch: boundedFetch });
    await expect(readClock()).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      status: 207,
      message: `${server.url} sent a response of more than 64 MiB. Is this the URL of svc-mock?`,
    });
    await vi.waitFor(async () => expect(await server.connections()).toBe(0));
  });

  test('reads a large response as the server sent it', async () => {
    const name = 'x'.repeat(32 * 1024 * 1024);
    await using server = await serve((_request, response) => response.end(JSON.stringify({ name })));
    const { readClock } = createControlClient({ baseUrl: server.url, fetch: boundedFetch });
    expect(await readClock()).toEqual({ name });
  });
});

describe('listen --forward-to', () => {
  /** Forwards to a target, and expects so many connections afterwards. */
  async function forward(respond: RequestListener, connected: 0 | 1, timeoutMs?: number) {
    await using target = await serve(respond);
    await using forwarder = createForwarder(target.url, { verifyTls: true, ...(timeoutMs && { timeoutMs }) });
    const { status, headers, body, error } = await forwarder.forward({ 'webhook-id': 'whd_1' }, Buffer.from('{}'));
    // Only the target's connection that the forwarder may use again stays open.
    if (connected === 0) await vi.waitFor(async () => expect(await target.connections()).toBe(0));
    expect(await target.connections()).toBe(connected);
    return { status, headers, body, error };
  }

  test('forwards the part of an endless response that the service keeps, and hangs up', async () => {
    const { status, body, error } = await forward(endless, 0);
    expect({ status, error, bytes: body.length }).toEqual({ status: 207, error: null, bytes: 64 * 1024 });
  });

  test('forwards a whole response with its headers', async () => {
    const whole = await forward((_request, response) => response.writeHead(201, { 'x-mine': 'yes' }).end('fine'), 1);
    expect(whole).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' }, body: Buffer.from('fine'), error: null });
  });

  test('hangs up on a response that keeps dripping', async () => {
    const drip: RequestListener = (_request, response) => {
      const dripping = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(dripping));
    };
    expect(await forward(drip, 0, 200)).toMatchObject({ status: 502, error: 'No complete response within 0.2 s' });
  });
});
