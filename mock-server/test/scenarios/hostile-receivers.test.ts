import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PATIENCE_MS } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import type { DeliveryEngineOptions } from '../../src/delivery/engine.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { flood, repeat, startRawReceiver } from '../support/delivery/hostile.ts';
import { addEndpoint, attemptsOf, createWorld, deliveryOf, emit, startEngine } from '../support/delivery/world.ts';

/** For receivers that run into the deadline. All others get much longer, so that a slow machine changes no outcome. */
const SHORT_TIMEOUT_MS = 1_000;
const OK = 'HTTP/1.1 200 OK\r\n';
const KIB = 1024;

/** Makes one attempt to a receiver with this behaviour. */
async function attempt(
  behave: (socket: Socket) => void,
  { onConnection, ...options }: { onConnection?: (socket: Socket) => void; timeoutMs?: number } = {},
) {
  await using receiver = await startRawReceiver(behave, onConnection);
  const result = await attemptTo(receiver.url, options);
  // No connection to a receiver that was cut off stays open.
  if (result.error !== null) await vi.waitFor(() => expect(receiver.open.size).toBe(0));
  return { ...result, requests: receiver.requests };
}

async function attemptTo(
  url: string,
  options: Pick<Partial<DeliveryEngineOptions>, 'addressRules' | 'timeoutMs'> = {},
) {
  const { deliveries, tookMs } = await deliverTo(url, 1, options);
  const [delivery] = deliveries;
  return { status: delivery?.status, error: delivery?.error, log: delivery?.log[0], tookMs };
}

/** Makes `times` deliveries to one endpoint, one attempt each, one after another. */
async function deliverTo(
  url: string,
  times: number,
  options: Pick<Partial<DeliveryEngineOptions>, 'addressRules' | 'timeoutMs'> = {},
) {
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, url);
  await using engine = await startEngine(world, { endpointConcurrency: 1, timeoutMs: PATIENCE_MS, ...options });
  const ids = await emit(world, times);
  const started = performance.now();
  await engine.runDue();
  const tookMs = performance.now() - started;
  const deliveries = ids.map(async (id) => ({
    ...(await deliveryOf(storage, id)),
    log: await attemptsOf(storage, id),
  }));
  return { deliveries: await Promise.all(deliveries), tookMs };
}

const noResponse = { response_status: null, response_headers: null, response_body: null };

describe('Delivery behaviour: no response within 10 seconds', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    [
      'sends its head one byte at a time',
      (socket) => {
        let sent = 0;
        repeat(socket, 10, () => `${OK}x-slow: ${'s'.repeat(1_000)}`[sent++] ?? 's');
      },
    ],
    ['stops in the middle of its head', (socket) => socket.write(`${OK}x-half: `)],
    [
      'sends interim responses for ever, slowly',
      (socket) => repeat(socket, 50, () => 'HTTP/1.1 102 Processing\r\n\r\n'),
    ],
  ])('a receiver that %s is cut off at the deadline', async (_name, behave) => {
    const result = await attempt(behave, { timeoutMs: SHORT_TIMEOUT_MS });
    expect(result).toMatchObject({ status: 'pending', error: 'Timed out after 1 s', requests: 1 });
    expect(result.log).toMatchObject({ ...noResponse, response_time_ms: expect.any(Number) });
    expect(result.tookMs).toBeGreaterThanOrEqual(SHORT_TIMEOUT_MS - 5);
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['stops after its head', (socket) => socket.write(`${OK}x-kept: yes\r\ncontent-length: 10\r\n\r\n`), /^$/],
    [
      'stops in the middle of its body',
      (socket) => socket.write(`${OK}x-kept: yes\r\ncontent-length: 10\r\n\r\nhalf`),
      /^half$/,
    ],
    [
      'drips its body for ever',
      (socket) => {
        socket.write(`${OK}x-kept: yes\r\ntransfer-encoding: chunked\r\n\r\n`);
        repeat(socket, 20, () => '1\r\nx\r\n');
      },
      /^x+$/,
    ],
  ])('a receiver that %s is cut off too, and what it sent is kept', async (_name, behave, body) => {
    const result = await attempt(behave, { timeoutMs: SHORT_TIMEOUT_MS });
    expect(result).toMatchObject({ status: 'pending', error: 'Timed out after 1 s', requests: 1 });
    expect(result.log).toMatchObject({ response_status: 200, response_body: expect.stringMatching(body) });
    expect(JSON.parse(result.log?.response_headers ?? '{}')).toMatchObject({ 'x-kept': 'yes' });
  });

  it('a slow response that arrives before the deadline is accepted', async () => {
    const result = await attempt((socket) => {
      setTimeout(() => socket.write(`${OK}content-length: 2\r\n\r\nok`), SHORT_TIMEOUT_MS / 2);
    });
    expect(result).toMatchObject({ status: 'success', log: { response_body: 'ok' } });
    expect(result.log?.response_time_ms).toBeGreaterThanOrEqual(SHORT_TIMEOUT_MS / 2 - 5);
  });
});

describe('Interim responses', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const go = 'HTTP/1.1 100 Continue\r\n\r\n';
  it.each([[go], [go + go], [early + go], [go + early], ['HTTP/1.1 102 Processing\r\n\r\n']])(
    'are skipped: %j',
    async (interim) => {
      const result = await attempt((socket) => socket.write(`${interim}${OK}content-length: 2\r\n\r\nok`));
      expect(result).toMatchObject({ status: 'success', log: { response_status: 200, response_body: 'ok' } });
    },
  );

  it('are skipped even if they arrive byte by byte, for each request of a connection', async () => {
    const rest = `${go}${OK}content-length: 38\r\n\r\nHTTP/1.1 100 is the beginning of this.`;
    await using receiver = await startRawReceiver((socket) => {
      socket.setNoDelay(true);
      const next = (sent: number) => {
        socket.write(rest.slice(sent, sent + 1));
        if (sent < rest.length - 1) setImmediate(next, sent + 1);
      };
      next(0);
    });
    const { deliveries } = await deliverTo(receiver.url, 3);
    for (const { log } of deliveries) {
      expect(log[0]).toMatchObject({ response_body: 'HTTP/1.1 100 is the beginning of this.' });
    }
    expect(receiver).toMatchObject({ connections: 1, requests: 3 });
  });
});

describe('The stored response', () => {
  it('has 64 KiB of an endless body, and then the connection is cut', async () => {
    const result = await attempt((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`);
    });
    expect(result.status).toBe('success');
    expect(result.log?.response_body).toBe('x'.repeat(64 * KIB));
  });

  it.each([64 * KIB - 1, 64 * KIB, 64 * KIB + 1])(
    'has as much of a body of %i bytes as fits into 64 KiB',
    async (size) => {
      const result = await attempt((socket) => socket.write(`${OK}content-length: ${size}\r\n\r\n${'y'.repeat(size)}`));
      expect(result.status).toBe('success');
      expect(result.log?.response_body).toBe('y'.repeat(Math.min(size, 64 * KIB)));
    },
  );

  it('has 1,024 bytes of an endless body that arrives one byte at a time', async () => {
    const result = await attempt((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, '1\r\nz\r\n'.repeat(4_000));
    });
    expect(result.status).toBe('success');
    expect(result.log?.response_body).toBe('z'.repeat(1_024));
  });

  it('has 64 KiB of a body in chunks of 64 bytes', async () => {
    const result = await attempt((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `40\r\n${'z'.repeat(64)}\r\n`.repeat(100));
    });
    expect(result.status).toBe('success');
    expect(result.log?.response_body).toBe('z'.repeat(64 * KIB));
  });

  it('has a compressed body as it was sent, not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * KIB * KIB));
    expect(bomb.length).toBeGreaterThan(64 * KIB);
    const result = await attempt((socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(result.status).toBe('success');
    expect(result.log?.response_body?.length).toBeLessThanOrEqual(64 * KIB);
  });

  it('has replacement characters for NUL and for bytes that are not UTF-8', async () => {
    const result = await attempt((socket) => {
      socket.write(`${OK}content-length: 4\r\n\r\n`);
      socket.write(Buffer.from([0x61, 0xff, 0x00, 0x62]));
    });
    expect(result.log?.response_body).toBe('a\uFFFD\uFFFDb');
  });

  it('has the first 100 headers, up to 16 KiB', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `x-${index}: v\r\n`).join('');
    const counted = await attempt((socket) => socket.write(`${OK}${many}content-length: 0\r\n\r\n`));
    expect(counted.status).toBe('success');
    expect(Object.keys(JSON.parse(counted.log?.response_headers ?? '{}'))).toHaveLength(100);

    const large = Array.from({ length: 40 }, (_, index) => `x-${index}: ${'v'.repeat(KIB - 10)}\r\n`).join('');
    const sized = await attempt((socket) => socket.write(`${OK}${large}content-length: 0\r\n\r\n`));
    expect(sized.status).toBe('success');
    expect(Object.keys(JSON.parse(sized.log?.response_headers ?? '{}'))).toHaveLength(16);
  });
});

describe('An attempt without a valid answer', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['closes at once', 'Connection reset', (socket) => socket.end()],
    ['resets at once', 'Connection reset', (socket) => socket.resetAndDestroy()],
    ['sends garbage', 'Invalid HTTP response', (socket) => socket.write('\0\x01\x02 not HTTP at all\r\n\r\n')],
    ...['RTSP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'ICE/1.0'].map((version): [string, string, (socket: Socket) => void] => [
      `speaks ${version}`,
      'Invalid HTTP response',
      (socket) => socket.end(`${version} 200 OK\r\ncontent-length: 0\r\n\r\n`),
    ]),
    [
      'speaks HTTP/2.0 after an interim response',
      'Invalid HTTP response',
      (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n'),
    ],
    ['sends headers for ever', 'Response headers too large', (socket) => flood(socket, `x: ${'y'.repeat(500)}\r\n`)],
    [
      'sends interim responses for ever',
      'Invalid HTTP response',
      (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
    [
      'changes to another protocol',
      'Invalid HTTP response',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'changes to no protocol',
      'Invalid HTTP response',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    ],
    ['has the status 000', 'Invalid HTTP response', (socket) => socket.end('HTTP/1.1 000 x\r\n\r\n')],
    ['has the status 099', 'Invalid HTTP response', (socket) => socket.end('HTTP/1.1 099 x\r\n\r\n')],
    [
      'says two lengths',
      'Invalid HTTP response',
      (socket) => socket.end(`${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`),
    ],
    [
      'says a length beyond all numbers',
      'Invalid HTTP response',
      (socket) => socket.write(`${OK}content-length: 99999999999999999999999\r\n\r\nhello`),
    ],
  ])('a receiver that %s fails the attempt: %s', async (name, error, behave) => {
    const result = await attempt((socket) => {
      if (name === 'sends headers for ever') socket.write(OK);
      behave(socket);
    });
    expect(result).toMatchObject({ status: 'pending', error });
    expect(result.log).toMatchObject(noResponse);
  });

  it.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n'],
    [
      'HTTP/1.1 after an interim response',
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    ],
    ['HTTP/1.1 after an empty line', '\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ])('a receiver that speaks %s succeeds', async (_version, response) => {
    expect(await attempt((socket) => socket.end(response))).toMatchObject({ status: 'success', error: null });
  });

  it.each<[string, string, (socket: Socket) => void, string]>([
    [
      'resets after its head',
      'Connection reset',
      (socket) => socket.write(`${OK}content-length: 9\r\n\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      '',
    ],
    [
      'closes in the middle of its body',
      'Connection reset',
      (socket) => socket.end(`${OK}content-length: 9\r\n\r\nhalf`),
      'half',
    ],
    [
      'sends an invalid chunk',
      'Invalid HTTP response',
      (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nno size\r\n`),
      'half',
    ],
  ])('a receiver that %s fails the attempt, and what it sent is kept: %s', async (_name, error, behave, body) => {
    const result = await attempt(behave);
    expect(result).toMatchObject({ status: 'pending', error });
    expect(result.log).toMatchObject({ response_status: 200, response_body: body });
  });

  it('a receiver that closes before it reads anything fails the attempt', async () => {
    const result = await attempt(() => {}, { onConnection: (socket) => socket.destroy() });
    expect(result).toMatchObject({ status: 'pending', error: 'Connection reset' });
  });

  it('a port that nothing listens on fails the attempt', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    expect(await attemptTo(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'Connection refused' });
  });

  it('a name that does not exist fails the attempt', async () => {
    expect(await attemptTo('https://does-not-exist.invalid/')).toMatchObject({ error: 'DNS lookup failed' });
  });

  it.each([
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://[::1]:9/',
    'http://10.0.0.1/',
    'http://[::ffff:7f00:1]/',
  ])('a blocked address fails the attempt: %s', async (url) => {
    expect(
      await attemptTo(url, { addressRules: createAddressRules({ allowLoopback: false, allowNetworks: [] }) }),
    ).toMatchObject({
      status: 'pending',
      error: 'Blocked address',
    });
  });
});

describe('Connections that the receiver closes or resets', () => {
  it('an idle connection that was closed is replaced at once, and this costs no attempt', async () => {
    await using receiver = await startRawReceiver((socket, { connection, request }) => {
      // The first connection is gone when its second request arrives.
      if (connection === 1 && request === 2) socket.resetAndDestroy();
      else socket.write(`${OK}content-length: 0\r\n\r\n`);
    });
    const { deliveries } = await deliverTo(receiver.url, 2);
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ status: 'success', attempt: 1 });
      expect(delivery.log).toHaveLength(1);
    }
    expect(receiver).toMatchObject({ connections: 2, requests: 3 });
  });

  it('an idle connection is replaced once: a fresh connection that is reset fails the attempt', async () => {
    await using receiver = await startRawReceiver((socket, { connection, request }) => {
      if (connection === 1 && request === 1) socket.write(`${OK}content-length: 0\r\n\r\n`);
      else socket.resetAndDestroy();
    });
    const { deliveries } = await deliverTo(receiver.url, 2);
    expect(deliveries[0]).toMatchObject({ status: 'success' });
    expect(deliveries[1]).toMatchObject({
      status: 'pending',
      attempt: 1,
      error: 'Connection reset',
    });
    expect(receiver).toMatchObject({ connections: 2, requests: 3 });
  });

  it('a new connection that is reset fails the attempt', async () => {
    await using receiver = await startRawReceiver((socket) => socket.resetAndDestroy());
    expect(await attemptTo(receiver.url)).toMatchObject({ status: 'pending', error: 'Connection reset' });
    expect(receiver).toMatchObject({ connections: 1, requests: 1 });
  });

  it('a connection that breaks in the middle of a response fails the attempt', async () => {
    await using receiver = await startRawReceiver((socket, { request }) => {
      if (request === 1) socket.write(`${OK}content-length: 0\r\n\r\n`);
      else socket.end(`${OK}content-length: 9\r\n\r\nhalf`);
    });
    const { deliveries } = await deliverTo(receiver.url, 2);
    expect(deliveries[1]).toMatchObject({ status: 'pending', attempt: 1 });
    expect(receiver.requests).toBe(2);
  });

  it('a connection that breaks after the first bytes of a response fails the attempt', async () => {
    await using receiver = await startRawReceiver((socket, { request }) => {
      if (request === 1) socket.write(`${OK}content-length: 0\r\n\r\n`);
      else socket.end('HTTP/1.1 2');
    });
    const { deliveries } = await deliverTo(receiver.url, 2);
    expect(deliveries[1]).toMatchObject({
      status: 'pending',
      attempt: 1,
      error: 'Connection reset',
    });
    expect(receiver.requests).toBe(2);
  });

  it('one connection serves deliveries that follow each other', async () => {
    await using receiver = await startRawReceiver((socket) => socket.write(`${OK}content-length: 0\r\n\r\n`));
    await deliverTo(receiver.url, 20);
    expect(receiver).toMatchObject({ connections: 1, requests: 20 });
  });
});
