import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

/** `fetch` cannot set `Host`, but a browser under DNS rebinding sends a foreign one. */
function statusUnderHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = api.server;
    request({ host: '127.0.0.1', port, path: '/_control/clock', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('The control API keeps web pages out', () => {
  test('by answering only under its own host names', async () => {
    const { port } = api.server;
    expect(await statusUnderHost(`127.0.0.1:${port}`)).toBe(200);
    expect(await statusUnderHost(`localhost:${port}`)).toBe(200);
    expect(await statusUnderHost(`rebound.attacker.test:${port}`)).toBe(403);
    expect(await statusUnderHost('127.0.0.1:1')).toBe(403);
  });

  test('by refusing a foreign Origin, but not its own', async () => {
    const ask = async (origin: string) => (await api.call('GET', '/_control/clock', { headers: { origin } })).status;
    expect(await ask('https://attacker.test')).toBe(403);
    expect(await ask('null')).toBe(403);
    expect(await ask(api.server.url)).toBe(200);
  });

  test('by asking for the admin token if one is set', async () => {
    await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    const ask = async (headers: Record<string, string>) =>
      (await guarded.call('GET', '/_control/clock', { headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer let-me-out' })).toBe(401);
    expect(await ask({ authorization: `Bearer ${TEST_ADMIN_TOKEN}` })).toBe(200);
  });

  test('by requiring an admin token in the strict profile', async () => {
    await using strict = await startApi({ strict: true });
    expect((await strict.call('GET', '/_control/clock')).status).toBe(403);
    await using guarded = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    expect((await guarded.call('GET', '/_control/clock', { headers })).status).toBe(200);
  });
});

test('no response of the control API may be stored by a cache', async () => {
  await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
  await using closed = await startApi({ strict: true });
  const ask = async (from: TestApi, path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(from.server.url + path, { method, headers });
    await response.body?.cancel();
    return [response.status, response.headers.get('cache-control')];
  };
  for (const path of ['clock', 'info', 'export', 'stream', 'openapi.json', 'seed.schema.json']) {
    expect([path, await ask(api, `/_control/${path}`)]).toEqual([path, [200, 'no-store']]);
  }
  expect(await ask(api, '/_control/nope')).toEqual([404, 'no-store']);
  expect(await ask(api, '/_control/clock', 'DELETE')).toEqual([405, 'no-store']);
  expect(await ask(api, '/_control/settle', 'POST')).toEqual([415, 'no-store']);
  expect(await ask(api, '/_control/clock', 'GET', { origin: 'https://attacker.test' })).toEqual([403, 'no-store']);
  expect(await ask(api, '/_control/clock', 'GET', { 'webhook-id': 'whd_1' })).toEqual([403, 'no-store']);
  expect(await ask(guarded, '/_control/clock')).toEqual([401, 'no-store']);
  expect(await ask(closed, '/_control/clock')).toEqual([403, 'no-store']);
  expect(await ask(api, '/v1/me')).toEqual([401, null]);
});
