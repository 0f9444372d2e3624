import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/http/rate-limiter.ts';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

describe('Routes', () => {
  test('an unknown route returns 404, with or without a credential', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/nothing',
      '/v1/workspaces/',
      '/v2/me',
      '/v1/webhooks/endpoints/whe_1/secrets',
    ]) {
      expect(await api.call('GET', path), path).toMatchObject({
        status: 404,
        body: failure('NOT_FOUND', expect.any(String)),
      });
    }
  });

  test('a known path returns 405 for any other method, and lists the allowed ones', async () => {
    const answer = await api.call('PUT', '/v1/webhooks/endpoints');
    expect(answer).toMatchObject({ status: 405, body: failure('METHOD_NOT_ALLOWED', expect.any(String)) });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await api.call('DELETE', '/v1/webhooks/event-types')).headers.get('allow')).toBe('GET, HEAD');
  });

  test('a fixed path never counts as a path with a parameter, for any method', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      const answer = await api.call(method, '/v1/webhooks/endpoints/event-types', {
        credential: demo.production.key,
        ...(method === 'DELETE' ? {} : { body: {} }),
      });
      expect(answer).toMatchObject({ status: 405, body: failure('METHOD_NOT_ALLOWED', expect.any(String)) });
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
    const one = '/v1/webhooks/endpoints/event-type';
    expect((await api.call('DELETE', one, { credential: demo.production.key })).status).toBe(404);
    expect((await api.call('PUT', one)).headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
  });

  test('every response has its own request id', async () => {
    const answers = await Promise.all(['/v1/nothing', '/v1/me', '/health/live'].map((path) => api.call('GET', path)));
    const ids = answers.map(({ headers }) => headers.get('service-request-id'));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('the OpenAPI document names the URL of this server', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: api.server.url }] });
  });

  test('the health checks answer', async () => {
    for (const path of ['/health/live', '/health/ready']) expect((await api.call('GET', path)).status).toBe(200);
  });
});

const rename = (rawBody: string) =>
  api.call('PATCH', `/v1/workspaces/${demo.staging.id}`, {
    credential: demo.staging.key,
    headers: { 'content-type': 'application/json' },
    rawBody,
  });

test('A body that is nested more than 1,000 levels deep is refused', async () => {
  const nested = (levels: number) => `{"name":"ok","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect((await rename(nested(1_000))).body).toEqual(
    failure('VALIDATION', 'The body is nested more than 1,000 levels deep.'),
  );
  // The field is unknown, so it may be ignored or refused by its name. Only the depth matters here.
  expect((await rename(nested(999))).body.error?.message ?? '').not.toContain('nested');
  // Brackets in a string, also after an escaped quotation mark, are text.
  expect((await rename(`{"name":"${'\\\\\\"['.repeat(30)}","x":"${'['.repeat(5_000)}"}`)).status).toBe(200);
});

test('Depth is checked before the body is parsed, because parsing it takes long', async () => {
  expect((await rename('['.repeat(5_000))).body).toEqual(
    failure('VALIDATION', 'The body is nested more than 1,000 levels deep.'),
  );
});

test('A body with more than 10,000 arrays, objects and fields is refused before it is parsed', async () => {
  const wide = (count: number) => `{"name":"ok","x":[${Array(count - 2).fill('[]')}]}`;
  const message = 'The body contains more than 10,000 arrays, objects and fields.';
  expect((await rename(wide(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename('[],'.repeat(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename(wide(9_998))).status).toBe(200);
  const fields = (count: number) =>
    `{"name":"o:k",${Array.from({ length: count - 2 }, (_, index) => `"x${index}":0`)}}`;
  expect((await rename(fields(10_001))).body).toEqual(failure('VALIDATION', message));
  expect((await rename(fields(10_000))).status).toBe(200);
});

describe('Half of a surrogate pair', () => {
  test.each(['{"name":"a\\ud800"}', '{"name":"\\uDFFFa"}', '{"name":"\\ude00\\ud83d"}', '{"x":{"\\ud83d":[]}}'])(
    'is refused in %s',
    async (rawBody) => {
      expect(await rename(rawBody)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
    },
  );

  test('is refused in an endpoint and by the control API', async () => {
    const headers = { 'content-type': 'application/json' };
    const endpoint = (text: string) =>
      api.call('POST', '/v1/webhooks/endpoints', {
        credential: demo.staging.key,
        headers,
        rawBody: `{"url":"https://x.test/${text}","subscribedEvents":["*"],"description":"${text}"}`,
      });
    expect((await endpoint('\\ud83d')).status).toBe(400);
    expect((await endpoint('\\ud83d\\ude00')).body.endpoint).toMatchObject({
      url: 'https://x.test/😀',
      description: '😀',
    });
    const user = async (name: string) => {
      const rawBody = `{"email":"pair@x.test","name":"${name}"}`;
      return (await api.call('POST', '/_control/users', { headers, rawBody })).status;
    };
    expect(await user('\\ud83d')).toBe(400);
    expect(await user('\\ud83d\\ude00')).toBe(201);
  });

  test('is allowed as part of a whole pair, and as text after an escaped backslash', async () => {
    expect((await rename('{"name":"a\\uD83D\\uDE00"}')).body.workspace.name).toBe('a😀');
    expect((await rename('{"name":"a\\\\ud800"}')).body.workspace.name).toBe('a\\ud800');
  });
});

describe('The character U+0000', () => {
  test('is refused in a body, but allowed as text after an escaped backslash', async () => {
    expect((await rename('{"name":"a\\u0000b"}')).status).toBe(400);
    expect((await rename('{"name":"a\\\\\\u0000b"}')).status).toBe(400);
    expect((await rename('{"name":"a\\\\u0000b"}')).body.workspace.name).toBe('a\\u0000b');
  });

  test('matches nothing in a path or a filter', async () => {
    const key = { credential: demo.staging.key };
    expect((await api.call('GET', '/v1/events/evt_%00', key)).status).toBe(404);
    expect((await api.call('GET', '/v1/events?type=%00', key)).body.data).toEqual([]);
  });
});

describe('Rate limit', () => {
  test('accepts exactly 120 of 200 concurrent requests with a token, and answers the others with 429 and a wait time', async () => {
    await using own = await startApi();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => own.call('GET', '/v1/workspaces', { credential: demo.owner })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(refused).toHaveLength(80);
    for (const { headers, body } of refused) {
      expect(body).toEqual(failure('RATE_LIMITED', expect.any(String)));
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    }
    const other = await own.call('GET', '/v1/workspaces', { credential: demo.viewer });
    expect(other.headers.get('ratelimit-policy')).toBe('"default";q=120;w=60');
    expect(other.headers.get('ratelimit')).toMatch(/^"default";r=119;t=\d+$/);
  });

  test('also sets its headers on refusals', async () => {
    const answer = await api.call('GET', '/v1/workspaces', { credential: demo.production.key });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=300;w=60');
  });

  test('can be turned off, including its headers', async () => {
    await using unlimited = await startApi({ rateLimit: false });
    const { headers } = await unlimited.call('GET', '/v1/me', { credential: demo.owner });
    expect(headers.has('ratelimit')).toBe(false);
  });

  test('a window begins with the first request after the last one ended', async () => {
    let now = 1_000;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter.take('key_1', 2);
    expect(await take()).toEqual({ admitted: true, limit: 2, remaining: 1, resetSeconds: 60 });
    now += 59_999;
    expect(await take()).toMatchObject({ admitted: true, remaining: 0, resetSeconds: 1 });
    expect(await take()).toMatchObject({ admitted: false, remaining: 0, resetSeconds: 1 });
    now += 1;
    expect(await take()).toMatchObject({ admitted: true, remaining: 1, resetSeconds: 60 });
  });
});

describe('Lists', () => {
  test.each(['0', '101', 'x', '', '1.5'])('limit=%s is refused', async (limit) => {
    const answer = await api.call('GET', `/v1/workspaces?limit=${limit}`, { credential: demo.admin });
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.stringContaining('limit')) });
  });

  test.each(['/v1/workspaces', '/v1/organizations'])('%s refuses every page token', async (path) => {
    const answer = await api.call('GET', `${path}?page=abc`, { credential: demo.admin });
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.stringContaining('page')) });
  });
});
