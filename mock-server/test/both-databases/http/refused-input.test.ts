import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '../../../src/index.ts';
import { failure, startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { exchange } from '../../support/http/exchange.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('Without a socket', () => {
  test('headers over the limit return 431 as over HTTP, and headers below it are accepted', async () => {
    await using database = onPostgres ? await createTestDatabase() : undefined;
    await using handler = await createHandler({
      dataDir: null,
      logLevel: 'silent',
      ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    });
    const send = async (length: number) => {
      const headers = { authorization: `Bearer ${demo.production.key}`, 'x-long': 'h'.repeat(length) };
      return await handler.fetch(new Request('http://127.0.0.1:4010/v1/me', { headers }));
    };
    const refused = await send(32 * 1024);
    expect(refused.status).toBe(431);
    expect(await refused.json()).toEqual(failure('HEADERS_TOO_LARGE', expect.any(String)));
    expect((await send(31 * 1024)).status).toBe(200);
  });
});

describe('Input that never becomes a request is answered with the error envelope', () => {
  test.each([
    [
      'a target over 8 KiB',
      `GET /v1/me?${'q'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      414,
      'URI_TOO_LONG',
    ],
    [
      'a target over every limit',
      `GET /v1/me?${'q'.repeat(60_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      414,
      'URI_TOO_LONG',
    ],
    [
      'headers over 32 KiB',
      `GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'h'.repeat(40_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a tunnel', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    [
      'an unknown expectation',
      'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n',
      400,
      'VALIDATION',
    ],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    ['an empty Host', 'GET /v1/me HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    [
      'a target that is not a path',
      'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'VALIDATION',
    ],
    ['text that is not HTTP', 'HELLO?\r\n\r\n', 400, 'VALIDATION'],
    ['an invalid Host', 'GET /v1/me HTTP/1.1\r\nHost: a b@c/\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    [
      'two lengths for one body',
      'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'VALIDATION',
    ],
    [
      'both a length and chunks',
      'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'VALIDATION',
    ],
  ])('%s', async (_what, text, status, code) => {
    const answer = await exchange(api.server.port, text);
    expect(answer).toEqual({
      status,
      body: failure(code, expect.any(String)),
      requestId: expect.stringMatching(/^[0-9A-Z]{26}$/),
    });
  });

  test('except a target and headers below the limits, which are served', async () => {
    const answer = await api.call('GET', `/v1/me?${'q'.repeat(8_000)}`, {
      credential: demo.owner,
      headers: { 'x-big': 'h'.repeat(20_000) },
    });
    expect(answer.status).toBe(200);
  });
});

describe('HTTP/1.0, which does not require a Host (RFC 9112, 3.2)', () => {
  test.each([
    ['the health check of a load balancer', 'GET /health/live HTTP/1.0\r\n\r\n', 200],
    ['a call', `GET /v1/me HTTP/1.0\r\nAuthorization: Bearer ${demo.production.key}\r\n\r\n`, 200],
    ['the control API, which requires a Host that names the server', 'GET /_control/clock HTTP/1.0\r\n\r\n', 403],
  ])('%s', async (_what, request, status) => {
    expect(await exchange(api.server.port, request)).toMatchObject({ status, requestId: expect.any(String) });
  });
});
