import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { exchange } from '../../support/http/exchange.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('A path that the server would read otherwise than a proxy', () => {
  const ask = (path: string) =>
    exchange(api.server.port, `GET ${path} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n`);

  test.each([
    '/v1/%2e%2e/_control/clock',
    '/v1/%2E%2e/_control/clock',
    '/v1/.%2e/_control/clock',
    '/v1/../_control/clock',
    '/v1/x/%2e%2e/%2e%2e/_control/clock',
    '/v1/%2e/me',
    '/./_control/clock',
    '/v1/me/%2e%2e',
    '/v1/me/.',
    '/v1\\..\\_control/clock',
    '\\_control\\clock',
    'http://localhost/v1/%2e%2e/_control/clock',
    '/%5f%63ontrol/clock',
    '/_contro%6C/clock',
    'http://localhost/%5fcontrol/clock',
  ])('is refused: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });

  test.each([
    ['/health/live?from=/../x', 200],
    ['/health/live#/../x', 200],
    ['/v1/..x', 404],
    ['/v1/%2e%2e%2e', 404],
    ['/v1/a.b', 404],
    ['/v1/%6de', 401],
    ['/health/live?from=%5fx', 200],
  ])('is not %s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });
});
