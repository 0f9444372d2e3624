import assert from 'node:assert/strict';
import { demo } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('decision', 'Errors');
export const errors = statements;

const key = { as: demo.productionKey };
const path = `/v1/workspaces/${demo.production}`;

state('errors.request-id', 'Service-Request-Id stands on every answer', async (probe) => {
  const answers = [
    await probe.call('GET', '/v1/me', { as: demo.owner }),
    await probe.call('GET', '/v1/me'),
    await probe.call('GET', '/nothing'),
    await probe.call('PUT', '/v1/me'),
  ];
  const ids = answers.map(({ headers }) => headers.get('service-request-id'));
  assert.ok(ids.every(Boolean));
  assert.equal(new Set(ids).size, ids.length);
});

state(
  'errors.unauthenticated',
  '401 UNAUTHENTICATED for a missing, malformed or unknown credential, with WWW-Authenticate: Bearer',
  async (probe) => {
    for (const as of [undefined, 'nonsense', 'svc_sk_test_unknown', 'svc_pat_unknown']) {
      const { status, body, headers } = await probe.call('GET', '/v1/me', as === undefined ? {} : { as });
      assert.deepEqual([status, body.error.code, headers.get('www-authenticate')], [401, 'UNAUTHENTICATED', 'Bearer']);
    }
  },
);

state(
  'errors.not-found',
  '404 NOT_FOUND for an unknown route, and for a resource that the addressed workspace does not have',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    const { event } = await probe.event();
    for (const target of [
      '/v1/unknown',
      `/v1/webhooks/endpoints/${id}`,
      `/v1/events/${event.id}`,
      '/v1/webhooks/deliveries/whd_x',
    ]) {
      const { status, body } = await probe.call('GET', target, { as: demo.stagingKey });
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], target);
    }
  },
);

state('errors.method', '405 METHOD_NOT_ALLOWED for a known path with another method, with Allow', async (probe) => {
  const { status, body, headers } = await probe.call('PUT', path, key);
  assert.deepEqual([status, body.error.code], [405, 'METHOD_NOT_ALLOWED']);
  assert.match(String(headers.get('allow')), /GET.*PATCH/);
});

state(
  'errors.conflict',
  '409 CONFLICT: slug taken, test event or replay to an inactive endpoint; a test event to a deleted one is 404',
  async (probe) => {
    const taken = await probe.call('PATCH', path, { ...key, body: { slug: 'staging' } });
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'CONFLICT']);
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const one = `/v1/webhooks/endpoints/${id}`;
    const replay = `/v1/webhooks/deliveries/${deliveries[0]?.id}/replay`;
    await probe.call('PATCH', one, { ...key, body: { active: false } });
    assert.equal((await probe.call('POST', `${one}/send-test-event`, key)).status, 409);
    assert.equal((await probe.call('POST', replay, key)).status, 409);
    await probe.call('DELETE', one, key);
    assert.equal((await probe.call('POST', replay, key)).status, 409);
    assert.equal((await probe.call('POST', `${one}/send-test-event`, key)).status, 404);
  },
);

state(
  'errors.body',
  '413 PAYLOAD_TOO_LARGE over 1 MiB, 415 UNSUPPORTED_MEDIA_TYPE for what is not JSON, 400 for broken JSON',
  async (probe) => {
    const send = async (rawBody: string, type: string) => {
      const { status, body } = await probe.call('PATCH', path, { ...key, rawBody, headers: { 'content-type': type } });
      return [status, body.error?.code];
    };
    assert.deepEqual(await send(`"${'x'.repeat(1024 * 1024)}"`, 'application/json'), [413, 'PAYLOAD_TOO_LARGE']);
    assert.deepEqual(await send('a=b', 'text/plain'), [415, 'UNSUPPORTED_MEDIA_TYPE']);
    assert.deepEqual(await send('{"a":', 'application/json'), [400, 'VALIDATION']);
  },
);

state('errors.uri', '414 URI_TOO_LONG for a target over the cap', async (probe) => {
  const { status, body } = await probe.call('GET', `/v1/me?${'q'.repeat(10_000)}`, key);
  assert.deepEqual([status, body.error.code], [414, 'URI_TOO_LONG']);
});

state(
  'errors.order',
  'Checks run in order: route, credential, rate limit, body type and size, scope and role, query and body, resource, state',
  async (probe) => {
    const status = async (method: string, target: string, options: Parameters<typeof probe.call>[2]) =>
      (await probe.call(method, target, options)).status;
    // Route before credential; credential before body type; body type before role; role before body; body before resource.
    assert.equal(await status('GET', '/v1/unknown', {}), 404);
    assert.equal(await status('PATCH', path, { rawBody: 'x', headers: { 'content-type': 'text/plain' } }), 401);
    assert.equal(
      await status('PATCH', path, { as: demo.viewer, rawBody: 'x', headers: { 'content-type': 'text/plain' } }),
      415,
    );
    assert.equal(
      await status('PATCH', path, {
        as: demo.viewer,
        rawBody: '{broken',
        headers: { 'content-type': 'application/json' },
      }),
      403,
    );
    assert.equal(await status('PATCH', '/v1/webhooks/endpoints/whe_x', { ...key, body: { active: 'no' } }), 400);
    assert.equal(await status('PATCH', '/v1/webhooks/endpoints/whe_x', { ...key, body: {} }), 404);
  },
);

state(
  'errors.expand-empty',
  'An empty expand expands nothing; names are case-sensitive; elsewhere it is an unknown parameter',
  async (probe) => {
    const ask = (query: string) => probe.call('GET', `/v1/organizations?expand=${query}`, { as: demo.owner });
    assert.ok(!('workspaces' in (await ask('')).body.data[0]));
    assert.ok('workspaces' in (await ask(',workspaces,')).body.data[0]);
    assert.equal((await ask('Workspaces')).status, 400);
    assert.equal((await probe.call('GET', '/v1/workspaces?expand=anything', { as: demo.owner })).status, 200);
  },
);

state(
  'rate.headers',
  'Authenticated answers carry RateLimit-Policy and RateLimit, a 429 adds Retry-After of at least 1',
  async (probe) => {
    const first = await probe.call('GET', '/v1/me', { as: demo.owner });
    assert.equal(first.headers.get('ratelimit-policy'), '"default";q=120;w=60');
    assert.match(String(first.headers.get('ratelimit')), /^"default";r=119;t=\d+$/);
    const others = await Promise.all(
      Array.from({ length: 130 }, () => probe.call('GET', '/v1/me', { as: demo.owner })),
    );
    const refused = others.filter(({ status }) => status === 429);
    assert.equal(refused.length, 11);
    for (const { headers } of refused) assert.ok(Number(headers.get('retry-after')) >= 1);
  },
);
