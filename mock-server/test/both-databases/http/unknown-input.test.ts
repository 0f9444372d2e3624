import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const key = { credential: demo.production.key };
const workspace = `/v1/workspaces/${demo.production.id}`;
const newest = async (query = '') => (await api.call('GET', `/_control/requests?limit=1${query}`)).body.data[0];

describe('Unknown input', () => {
  test.each([
    ['PATCH', workspace, { nme: 'x', name: 'Y' }, ['body.nme']],
    ['PATCH', `${workspace}?name=x`, {}, ['query.name']],
    ['GET', '/v1/webhooks/deliveries?createdAfter=&status=failed', undefined, ['query.createdAfter']],
    ['GET', '/v1/events?expand=a&expand=b&limit=1', undefined, ['query.expand']],
    ['GET', '/v1/me?a=1', undefined, ['query.a']],
  ])('in %s %s with %j is named in the response and in the request log', async (method, path, body, ignored) => {
    const { status, headers } = await api.call(method, path, { ...key, body });
    expect(status).toBe(200);
    expect(headers.get('service-ignored')).toBe(ignored.join(', '));
    expect(await newest()).toMatchObject({ method, ignored });
  });

  test('is named if the request is refused', async () => {
    const body = { ulr: 'https://receiver.test/', events: ['*'] };
    const { status, headers } = await api.call('POST', '/v1/webhooks/endpoints?dry=1', { ...key, body });
    expect(status).toBe(400);
    expect(headers.get('service-ignored')).toBe('body.ulr, body.events, query.dry');
    expect(await newest()).toMatchObject({ status: 400, ignored: ['body.ulr', 'body.events', 'query.dry'] });
  });

  test('in the body of an operation that has none is named too', async () => {
    const path = '/v1/webhooks/endpoints/whe_none/send-test-event';
    const { headers } = await api.call('POST', path, { ...key, body: { type: 'lifecycle.evaluated' } });
    expect(headers.get('service-ignored')).toBe('body.type');
    expect((await api.call('POST', path, { ...key, body: {} })).headers.get('service-ignored')).toBeNull();
    const broken = { ...key, headers: { 'content-type': 'application/json' }, rawBody: '{"type":' };
    expect((await api.call('POST', path, broken)).headers.get('service-ignored')).toBeNull();
  });

  test.each([
    ['PATCH', workspace, { name: 'Production' }],
    ['GET', '/v1/webhooks/deliveries?status=failed&limit=1', undefined],
    ['GET', '/v1/nothing?a=1', undefined],
  ])('is not there in %s %s with %j', async (method, path, body) => {
    const { headers } = await api.call(method, path, { ...key, body });
    expect(headers.get('service-ignored')).toBeNull();
    expect(await newest()).toMatchObject({ method, ignored: [] });
  });

  test('can be found among the requests', async () => {
    await api.call('GET', '/v1/me?mark=1', key);
    await api.call('GET', '/v1/me', key);
    expect(await newest('&ignored=true')).toMatchObject({ url: '/v1/me?mark=1', ignored: ['query.mark'] });
    expect(await newest('&ignored=false')).toMatchObject({ url: '/v1/me', ignored: [] });
    expect((await api.call('GET', '/_control/requests?ignored=maybe')).status).toBe(400);
    const first = await api.call('GET', '/_control/requests?ignored=true&limit=1');
    const second = await api.call('GET', first.body.nextPageUrl);
    expect(second.body.data[0].ignored).not.toEqual([]);
  });

  test('with names from an attacker fits into a header, and contains no credential', async () => {
    const hostile = [
      '\r\nSet-Cookie: a=b',
      'svc_sk_test_pasted_by_mistake',
      '😀'.repeat(1_000),
      'a, body.name',
      '__proto__',
    ];
    const body = `{${[...hostile, ...Array.from({ length: 50 }, (_, n) => `n${n}`)].map((name) => `${JSON.stringify(name)}:1`).join()}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await api.call('PATCH', workspace, { ...key, headers, rawBody: body });
    expect(answer.status).toBe(200);
    const names = answer.headers.get('service-ignored')?.split(', ') ?? [];
    expect(names).toHaveLength(10);
    expect(names.slice(0, 6)).toEqual([
      'body.%0D%0ASet-Cookie%3A%20a%3Db',
      'body.svc_%5Bredacted%5D',
      `body.${encodeURIComponent('😀'.repeat(64))}`,
      'body.a%2C%20body.name',
      'body.__proto__',
      'body.n0',
    ]);
    expect(await newest()).toMatchObject({ ignored: names });
  });

  test('is only listed, not named in the response, in the strict profile', async () => {
    await using strict = await startApi({ strict: true, adminToken: ADMIN_TOKEN, seed: SEED });
    const { status, headers } = await strict.call('GET', '/v1/me?a=1', { credential: CREDENTIAL });
    expect(status).toBe(200);
    expect(headers.get('service-ignored')).toBeNull();
    const { body } = await strict.call('GET', '/_control/requests?ignored=true', { credential: ADMIN_TOKEN });
    expect(body.data).toMatchObject([{ url: '/v1/me?a=1', ignored: ['query.a'] }]);
  });
});

const ADMIN_TOKEN = 'an-admin-token-of-at-least-32-characters';
const CREDENTIAL = 'svc_sk_strict_key_of_this_test';
const workspaces = [{ slug: 'w', name: 'W', apiKeys: [{ credential: CREDENTIAL }] }];
const SEED = { organizations: [{ slug: 'o', name: 'O', workspaces }] };
