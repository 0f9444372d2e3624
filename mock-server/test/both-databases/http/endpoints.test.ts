import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const as = { credential: demo.staging.key };
const create = (change: object = {}) =>
  api.call('POST', '/v1/webhooks/endpoints', {
    ...as,
    body: { url: 'https://receiver.test/hook', subscribedEvents: ['lifecycle.*'], ...change },
  });

describe('Webhook endpoints', () => {
  test('POST creates an active endpoint and shows its secret once', async () => {
    const { status, body } = await create({ description: 'Billing', subscribedEvents: ['*', 'webhook.ping', '*'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      endpoint: {
        id: expect.stringMatching(/^whe_[0-9A-HJKMNP-TV-Z]{26}$/),
        workspaceId: demo.staging.id,
        url: 'https://receiver.test/hook',
        description: 'Billing',
        subscribedEvents: ['*', 'webhook.ping'],
        active: true,
        apiVersion: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      secret: {
        id: expect.stringMatching(/^whs_/),
        secret: expect.stringMatching(/^whsec_(?=.*[-_])[\w-]{43}$/),
        secretPreview: expect.any(String),
        createdAt: expect.any(String),
      },
    });
    expect(body.secret.secret).not.toBe(body.secret.secretPreview);
    const again = await api.call('GET', `/v1/webhooks/endpoints/${body.endpoint.id}`, as);
    expect(again.body).toEqual({ endpoint: body.endpoint });
  });

  test.each([
    [{ url: 'http://receiver.test/' }],
    [{ url: 'not a url' }],
    [{ url: 'https://receiver.test/a b' }],
    [{ url: 'https://receiver.test\\hook' }],
    [{ url: undefined }],
    [{ subscribedEvents: [] }],
    [{ subscribedEvents: ['unknown.type'] }],
    [{ subscribedEvents: ['nothing.*'] }],
    [{ subscribedEvents: ['lifecycle*'] }],
    [{ subscribedEvents: 'lifecycle.*' }],
    [{ description: 'a'.repeat(501) }],
  ])('POST with %j is refused', async (change) => {
    expect(await create(change)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });

  test('the local profile accepts http receivers on loopback, the strict profile does not', async () => {
    expect((await create({ url: 'http://127.0.0.1:9/hook' })).status).toBe(201);
    await using strict = await startApi({
      strict: true,
      seed: {
        organizations: [
          { slug: 'o', name: 'O', workspaces: [{ slug: 'w', name: 'W', apiKeys: [{ credential: 'svc_sk_test_1' }] }] },
        ],
      },
    });
    const refused = await strict.call('POST', '/v1/webhooks/endpoints', {
      credential: 'svc_sk_test_1',
      body: { url: 'http://127.0.0.1:9/hook', subscribedEvents: ['*'] },
    });
    expect(refused.status).toBe(400);
  });

  test('PATCH keeps omitted fields, clears the description with null, and pauses with active false', async () => {
    const { body } = await create({ description: 'Old' });
    const path = `/v1/webhooks/endpoints/${body.endpoint.id}`;
    const paused = await api.call('PATCH', path, { ...as, body: { active: false } });
    expect(paused.body.endpoint).toMatchObject({ active: false, description: 'Old', url: body.endpoint.url });
    const cleared = await api.call('PATCH', path, { ...as, body: { description: null } });
    expect(cleared.body.endpoint).toMatchObject({ active: false, description: null });
  });

  test('PATCH without the field active leaves the endpoint active', async () => {
    const { body } = await create();
    const path = `/v1/webhooks/endpoints/${body.endpoint.id}`;
    const patched = await api.call('PATCH', path, { ...as, body: { description: 'New' } });
    expect(patched.body.endpoint).toMatchObject({ active: true, description: 'New' });
    const active = await api.call('PATCH', path, { ...as, body: { active: true } });
    expect(active.body.endpoint).toMatchObject({ active: true });
  });

  test('DELETE removes it permanently', async () => {
    const { body } = await create();
    const path = `/v1/webhooks/endpoints/${body.endpoint.id}`;
    expect(await api.call('DELETE', path, as)).toMatchObject({ status: 200, body: { ok: true } });
    for (const method of ['GET', 'DELETE']) expect((await api.call(method, path, as)).status).toBe(404);
    for (const action of ['send-test-event', 'rotate-secret']) {
      expect((await api.call('POST', `${path}/${action}`, as)).status).toBe(404);
    }
  });

  test('an endpoint of another workspace returns 404 like one that does not exist', async () => {
    const { body } = await create();
    const other = { credential: demo.production.key };
    const foreign = await api.call('GET', `/v1/webhooks/endpoints/${body.endpoint.id}`, other);
    const unknown = await api.call('GET', '/v1/webhooks/endpoints/whe_unknown', other);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body.error.code).toBe(unknown.body.error.code);
  });

  test('rotate-secret is refused while 10 previous secrets are valid, until the oldest expires', async () => {
    await using own = await startApi();
    await own.call('POST', '/_control/clock', { body: { freeze: true } });
    const { now } = (await own.call('GET', '/_control/clock')).body;
    const body = { url: 'https://receiver.test/hook', subscribedEvents: ['*'] };
    const { endpoint } = (await own.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body;
    const rotate = () => own.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`, as);
    for (let times = 0; times < 10; times++) expect((await rotate()).status).toBe(200);
    const from = new Date(Date.parse(now) + 86_400_000).toISOString();
    expect(await rotate()).toMatchObject({
      status: 409,
      body: failure(
        'CONFLICT',
        `The webhook endpoint ${endpoint.id} has 10 previous secrets that are still valid; the secret can be rotated again at ${from}.`,
      ),
    });
    await own.call('POST', '/_control/clock', { body: { advance: 'PT23H59M59.999S' } });
    expect((await rotate()).status).toBe(409);
    await own.call('POST', '/_control/clock', { body: { advance: 'PT0.001S' } });
    expect((await rotate()).status).toBe(200);
  });

  test('rotate-secret returns a new secret', async () => {
    const { body } = await create();
    const rotated = await api.call('POST', `/v1/webhooks/endpoints/${body.endpoint.id}/rotate-secret`, as);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret.secret).not.toBe(body.secret.secret);
  });

  test('a workspace has at most 100 endpoints', async () => {
    const globex = { credential: demo.globex.key };
    const body = { url: 'https://receiver.test/', subscribedEvents: ['*'] };
    const answers = await Promise.all(
      Array.from({ length: 105 }, () => api.call('POST', '/v1/webhooks/endpoints', { ...globex, body })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    const list = await api.call('GET', '/v1/webhooks/endpoints?limit=1', globex);
    expect(list.body).toMatchObject({ nextPageUrl: null, previousPageUrl: null });
    expect(list.body.data).toHaveLength(100);
  });
});

describe('Event type catalog', () => {
  test('both paths list it, sorted by type and in pages', async () => {
    for (const path of ['/v1/webhooks/endpoints/event-types', '/v1/webhooks/event-types']) {
      const first = await api.call('GET', `${path}?limit=2`, as);
      expect(first.body.data.map((item: { type: string }) => item.type)).toEqual([
        'lifecycle.evaluated',
        'webhook.endpoint.auto_disabled',
      ]);
      expect(first.body.data[0].category).toBe('Lifecycle');
      const second = await api.call('GET', first.body.nextPageUrl, as);
      expect(second.body).toMatchObject({ data: [{ type: 'webhook.ping' }], nextPageUrl: null });
    }
  });
});
