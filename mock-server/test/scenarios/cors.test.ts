import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, startServer } from '../../src/index.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

const origin = 'http://localhost:5173';
const second = 'https://app.example.test';
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ cors: [origin, second] });
});
afterAll(() => api[Symbol.asyncDispose]());

const preflight = (from: string, path = '/v1/me', method = 'GET') =>
  fetch(`${api.server.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,service-workspace-id',
    },
  });

describe('With --cors', () => {
  test.each([origin, second])('pages of %s may call the API with their credential', async (from) => {
    const answer = await preflight(from, '/v1/webhooks/endpoints/whe_x', 'PATCH');
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': from,
      'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
      'access-control-allow-headers': 'authorization,service-workspace-id',
    });
    const called = await api.call('GET', '/v1/me', { credential: demo.production.key, headers: { origin: from } });
    expect(called.status).toBe(200);
    expect(called.headers.get('access-control-allow-origin')).toBe(from);
    expect(called.headers.get('access-control-expose-headers')).toMatch(/Service-Request-Id/i);
    expect(called.headers.get('vary')).toBe('Origin');
  });

  test('pages can also read refusals', async () => {
    const refused = await api.call('GET', '/v1/me', { headers: { origin } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
  });

  test('pages of other origins may not call the API', async () => {
    expect((await preflight('http://evil.example.test')).headers.get('access-control-allow-origin')).toBeNull();
    const called = await api.call('GET', '/v1/me', {
      credential: demo.production.key,
      headers: { origin: 'http://evil.example.test' },
    });
    expect(called.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('no page may call the control API', async () => {
    const answer = await preflight(origin, '/_control/clock');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await api.call('GET', '/_control/clock', { headers: { origin } })).status).toBe(403);
  });
});

test('Without --cors no page may call the API', async () => {
  await using closed = await startApi();
  const answer = await fetch(`${closed.server.url}/v1/me`, { method: 'OPTIONS', headers: { origin } });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
});

describe('startServer rejects', () => {
  test.each(['localhost:5173', 'http://localhost:5173/', 'http://localhost:5173/app', '*', 'null', 'file:///x'])(
    'the origin %s',
    async (text) => {
      await expect(startServer({ port: 0, dataDir: null, cors: [text] })).rejects.toThrow(/is not an origin\. Write/);
    },
  );

  test('an origin in the strict profile', async () => {
    const starting = startServer({ port: 0, dataDir: null, strict: true, cors: [origin] });
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow('--strict does not allow --cors. Remove one of these options.');
  });
});
