import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { failure, startApi, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

let api: TestApi;
let endpoint: string;
const key = { credential: demo.production.key };
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
  endpoint = `/v1/webhooks/endpoints/${(await api.call('POST', '/v1/webhooks/endpoints', { ...key, body })).body.endpoint.id}`;
});
afterAll(() => api[Symbol.asyncDispose]());
afterEach(() => vi.useRealTimers());

const typed = (type: string, rawBody: string) => ({ ...key, headers: { 'content-type': type }, rawBody });
const overCap = 'x'.repeat(1024 * 1024 + 1);
const status = async (...call: Parameters<TestApi['call']>) => (await api.call(...call)).status;

/** Sends a GET or HEAD with a chunked body, and returns the statuses of the responses and how many bytes were written. */
async function sendChunks(head: string, chunks: readonly string[] | 'endless', type = 'application/json') {
  const socket = connect(api.server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  // The server may cut the connection during a write.
  socket.on('error', () => {});
  socket.write(`${head} HTTP/1.1\r\nHost: 127.0.0.1:${api.server.port}\r\nTransfer-Encoding: chunked\r\n`);
  socket.write(`Authorization: Bearer ${demo.production.key}\r\nContent-Type: ${type}\r\n\r\n`);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (chunks === 'endless') {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    while (!socket.destroyed)
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  } else {
    for (const chunk of chunks) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    socket.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  }
  await closed;
  return {
    statuses: [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code)),
    text: answer,
    sent: socket.bytesWritten,
  };
}

describe('A body that the operation does not use', () => {
  test('is checked for its type and size before the resource is looked up', async () => {
    const nowhere = '/v1/webhooks/endpoints/whe_none/rotate-secret';
    expect(await api.call('POST', nowhere, typed('text/plain', overCap))).toMatchObject({
      status: 415,
      body: failure('UNSUPPORTED_MEDIA_TYPE', expect.any(String)),
    });
    expect(await api.call('POST', nowhere, typed('application/json', overCap))).toMatchObject({
      status: 413,
      body: failure('PAYLOAD_TOO_LARGE', expect.any(String)),
    });
    expect(await status('POST', nowhere, typed('application/json', 'no matter what'))).toBe(404);
    expect(await status('POST', nowhere, typed('text/plain', ''))).toBe(404);
  });

  test('is ignored if its type is JSON or it is empty', async () => {
    expect(await status('POST', `${endpoint}/rotate-secret`, typed('application/json', '{"secret":'))).toBe(200);
    expect(await status('POST', `${endpoint}/rotate-secret`, typed('text/plain', ''))).toBe(200);
    expect(await status('POST', `${endpoint}/rotate-secret`, typed('text/plain', 'x'))).toBe(415);
    expect(await status('DELETE', '/v1/webhooks/endpoints/whe_none', typed('text/plain', 'x'))).toBe(415);
  });

  test('is checked after the credential', async () => {
    const call = { ...typed('text/plain', overCap), credential: 'svc_sk_test_unknown' };
    expect(await status('POST', `${endpoint}/rotate-secret`, call)).toBe(401);
  });

  test('may be sent with a GET, in chunks, and the connection serves the next request', async () => {
    expect((await sendChunks('GET /v1/me', ['{"a":1}'])).statuses).toEqual([200, 200]);
    expect((await sendChunks('GET /v1/me', [])).statuses).toEqual([200, 200]);
    expect((await sendChunks('GET /nope', ['{"a":1}'])).statuses).toEqual([404, 200]);
  });
});

describe('A body of exactly 1 MiB in chunks', () => {
  test.each([
    ['of 1,000 bytes, which the reads from the socket split', 1_000],
    ['of which the last has one byte', 1_048_575],
  ])('%s is accepted', async (_name, size) => {
    const body = ' '.repeat(1024 * 1024);
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
      body.slice(at * size, (at + 1) * size),
    );
    expect((await sendChunks('GET /v1/me', chunks)).statuses).toEqual([200, 200]);
  });
});

describe('A body in chunks of one byte', () => {
  const blanks = (count: number) => Array<string>(count).fill(' ');

  test('may have as many as count as 1 MiB and 64 KiB, and the connection then serves the next request', async () => {
    expect((await sendChunks('GET /v1/me', blanks(17_408))).statuses).toEqual([200, 200]);
  });

  test('is refused with 413 if it has one more, and the connection is closed', async () => {
    const { statuses, text } = await sendChunks('GET /v1/me', blanks(17_409));
    expect(statuses).toEqual([413]);
    expect(text).toContain('The body has too many small chunks');
  });

  test('may have any number of them if it is streamed', async () => {
    const head = `PUT /_control/workspaces/${demo.production.id}/profiles`;
    expect((await sendChunks(head, blanks(20_000), 'application/x-ndjson')).statuses).toEqual([200, 200]);
  });
});

describe('An endless body', () => {
  test.each([
    ['GET /v1/me', 413],
    ['HEAD /v1/me', 413],
    ['GET /health/live', 200],
    ['HEAD /health/live', 200],
    ['GET /nope', 404],
    ['GET /_control/requests', 200],
  ])('of %s is cut off after the response', async (head, answered) => {
    const { statuses, sent } = await sendChunks(head, 'endless');
    expect(statuses).toEqual([answered]);
    // Besides the bytes that the server reads, the sockets on both sides buffer some.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('A body that arrives only after the response', () => {
  /** Opens a connection on which a request is answered before its body arrives. The test moves the timers. */
  async function startOwing(length = 'Content-Length: 2') {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = connect(api.server.port, '127.0.0.1');
    const seen = { text: '', isClosed: false };
    socket.setEncoding('latin1').on('data', (text) => {
      seen.text += text;
    });
    socket
      .on('error', () => {})
      .once('close', () => {
        seen.isClosed = true;
      });
    socket.write(`GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n${length}\r\n\r\n`);
    await untilTrue(() => seen.text.includes('ok'));
    return { socket, seen, [Symbol.dispose]: () => void socket.destroy() };
  }

  async function untilTrue(isMet: () => boolean): Promise<void> {
    while (!isMet()) await new Promise(setImmediate);
  }

  test('is still read after 499 ms, and the connection then serves the next request', async () => {
    using owing = await startOwing();
    const { socket, seen } = owing;
    vi.advanceTimersByTime(499);
    socket.write('{}GET /nope HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await untilTrue(() => seen.isClosed || seen.text.includes('HTTP/1.1 404'));
    expect(seen.isClosed).toBe(false);
  });

  test('is no longer read after 500 ms, and the connection is closed', async () => {
    using owing = await startOwing();
    vi.advanceTimersByTime(500);
    await untilTrue(() => owing.seen.isClosed);
  });

  const CHUNKED = 'Transfer-Encoding: chunked';
  const manyChunks = (count: number) => `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`;
  const NEXT = 'GET /nope HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

  test('may have 8,192 chunks, and the connection then serves the next request', async () => {
    using owing = await startOwing(CHUNKED);
    const { socket, seen } = owing;
    socket.write(manyChunks(8_192) + NEXT);
    await untilTrue(() => seen.isClosed || seen.text.includes('HTTP/1.1 404'));
    expect(seen.isClosed).toBe(false);
  });

  test('is not read to its end if it has many more chunks, however short they are, and the connection is cut', async () => {
    using owing = await startOwing(CHUNKED);
    const { socket, seen } = owing;
    // What has arrived with the last chunk that counts is also parsed: up to 64 KiB.
    socket.write(manyChunks(8_192 + 20_000) + NEXT);
    for (let pass = 0; pass < 1_000; pass++) await new Promise(setImmediate);
    expect(seen).toMatchObject({ text: expect.not.stringContaining('HTTP/1.1 404'), isClosed: false });
    vi.advanceTimersByTime(500);
    await untilTrue(() => seen.isClosed);
    expect(seen.text).not.toContain('HTTP/1.1 404');
  });
});

describe('A body with a content encoding', () => {
  test('is refused with 415, and accepted with the encoding identity', async () => {
    const encoded = (encoding: string) => ({
      ...key,
      body: { description: 'x' },
      headers: { 'content-encoding': encoding },
    });
    const answer = await api.call('PATCH', endpoint, encoded('gzip'));
    expect(answer).toMatchObject({ status: 415, body: failure('UNSUPPORTED_MEDIA_TYPE', expect.any(String)) });
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(await status('PATCH', endpoint, encoded('Identity'))).toBe(200);
    expect(await status('POST', '/_control/events', encoded('br'))).toBe(415);
  });
});
