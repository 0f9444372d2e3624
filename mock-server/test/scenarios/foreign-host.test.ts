import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '../../src/index.ts';
import { failure, startApi, TEST_ADMIN_TOKEN, TEST_MASTER_KEY, type TestApi } from '../support/api.ts';
import { createTestDatabase, onPostgres } from '../support/database.ts';
import { demo } from '../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false, cors: ['http://localhost:5173'] });
});
afterAll(() => api[Symbol.asyncDispose]());

interface Asked {
  from?: TestApi;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** `fetch` cannot set `Host`, but a browser under DNS rebinding sends the name of the page. */
async function askAs(host: string, { from = api, method = 'GET', path = '/v1/me', headers }: Asked = {}) {
  const authorization = `Bearer ${demo.globex.key}`;
  const sent = request({
    host: '127.0.0.1',
    port: from.server.port,
    method,
    path,
    headers: { host, authorization, ...headers },
  });
  sent.end();
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  const body = await text(response);
  return { status: response.statusCode, body: body === '' ? undefined : JSON.parse(body) };
}

describe('While the server listens on loopback, /v1', () => {
  test.each(['/v1/me', '/v1/webhooks/endpoints', '/v1', '/v1/nope'])(
    'does not answer a page that was rebound: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' };
        const { status, body } = await askAs(`rebound.attacker.test:${api.server.port}`, { method, path, headers });
        expect({ status, body }).toEqual({
          status: 403,
          body: failure('FORBIDDEN', expect.stringContaining('--public-url')),
        });
      }
    },
  );

  test.each(['a.127.0.0.1', '1.2.3.4.5', '999.0.0.1:80'])('rejects a host that no URL can have: %s', async (host) => {
    expect(await askAs(host)).toEqual({
      status: 400,
      body: failure('VALIDATION', expect.stringContaining('Host header')),
    });
  });

  test('answers to loopback names with any port, because development servers forward with theirs', async () => {
    for (const host of ['localhost:5173', 'app.localhost', '127.0.0.1:1', '[::1]:3000', `127.0.0.2`]) {
      expect(await askAs(host)).toMatchObject({ status: 200 });
    }
  });

  test('answers to the host of --public-url, but to no other', async () => {
    await using published = await startApi({ publicUrl: 'http://svc.localhost:8080' });
    expect(await askAs('svc.localhost:8080', { from: published })).toMatchObject({ status: 200 });
    expect(await askAs('other.test:8080', { from: published })).toMatchObject({ status: 403 });
  });

  test('does not count or log a refused request', async () => {
    await using limited = await startApi({ rateLimit: true });
    for (let count = 0; count < 3; count++) await askAs('rebound.attacker.test', { from: limited });
    expect((await limited.call('GET', '/_control/requests')).body.data).toEqual([]);
    const { headers } = await limited.call('GET', '/v1/me', { credential: demo.globex.key });
    expect(headers.get('ratelimit')).toContain('r=299');
  });

  test('leaves the health checks open, which load balancers call under any name', async () => {
    expect(await askAs('any.test', { path: '/health/live' })).toMatchObject({ status: 200 });
  });
});

test('a server on a network answers to every host name', async () => {
  await using open = await startApi({ host: '0.0.0.0', adminToken: TEST_ADMIN_TOKEN });
  expect((await askAs('svc.example.test', { from: open })).status).not.toBe(403);
});

test('a server without a socket checks no host, but the control API checks the Origin', async () => {
  await using database = onPostgres ? await createTestDatabase() : undefined;
  await using handler = await createHandler({
    dataDir: null,
    logLevel: 'silent',
    ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
  });
  const ask = async (url: string, given: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${demo.globex.key}`, ...given };
    return (await handler.fetch(new Request(url, { headers }))).status;
  };
  expect(await ask('https://api.example.test/v1/me')).toBe(200);
  expect(await ask('https://api.example.test/_control/clock')).toBe(200);
  expect(await ask('https://api.example.test/_control/clock', { origin: 'https://api.example.test' })).toBe(200);
  for (const origin of ['https://attacker.test', 'http://api.example.test', 'null']) {
    expect([origin, await ask('https://api.example.test/_control/clock', { origin })]).toEqual([origin, 403]);
  }
});
