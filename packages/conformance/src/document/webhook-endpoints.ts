import assert from 'node:assert/strict';
import { type Probe, signatureOf } from '../probe.ts';
import { assertKeys } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Webhook endpoints');
export const webhookEndpoints = statements;

const key = { as: demo.productionKey };
const ENDPOINTS = '/v1/webhooks/endpoints';
const create = (probe: Probe, change: object) =>
  probe.call('POST', ENDPOINTS, {
    ...key,
    body: { url: 'https://receiver.test/', subscribedEvents: ['lifecycle.*'], ...change },
  });

const REFUSED = [
  { url: '/relative' },
  { url: 'receiver.test' },
  { url: 'ftp://receiver.test/' },
  { url: 'http://receiver.test/' },
  { url: null },
  { url: 7 },
  { subscribedEvents: ['made.up'] },
  { subscribedEvents: ['lifecycle.evaluated', 'made.*'] },
  { subscribedEvents: 'lifecycle.*' },
  { subscribedEvents: [] },
  { subscribedEvents: [7] },
  { description: 'd'.repeat(501) },
  { description: 7 },
  { apiVersion: 7 },
];

state(
  'endpoints.crud',
  'Webhook endpoints can be created (201), listed, retrieved, updated (200) and deleted ({ ok: true })',
  async (probe) => {
    const created = await create(probe, { description: 'd' });
    assert.equal(created.status, 201);
    assertKeys(created.body, 'endpoint', 'secret');
    const { endpoint } = created.body;
    const one = `${ENDPOINTS}/${endpoint.id}`;
    const retrieved = await probe.call('GET', one, key);
    assert.deepEqual([retrieved.status, retrieved.body], [200, { endpoint }]);
    const list = { data: [endpoint], nextPageUrl: null, previousPageUrl: null };
    assert.deepEqual((await probe.call('GET', ENDPOINTS, key)).body, list);
    const updated = await probe.call('PATCH', one, { ...key, body: { url: 'https://other.test/' } });
    assert.deepEqual([updated.status, Object.keys(updated.body)], [200, ['endpoint']]);
    const deleted = await probe.call('DELETE', one, key);
    assert.deepEqual([deleted.status, deleted.body], [200, { ok: true }]);
  },
);

state('endpoints.of-workspace', 'The list contains the webhook endpoints of the current workspace', async (probe) => {
  const { id } = await probe.endpoint('https://receiver.test/');
  const ids = async (workspace: string) =>
    (await probe.call('GET', ENDPOINTS, { as: demo.owner, workspace })).body.data.map((row: { id: string }) => row.id);
  assert.deepEqual([await ids(demo.production), await ids(demo.staging)], [[id], []]);
});

state(
  'endpoints.create-body',
  'url is an absolute https URL; each entry of subscribedEvents is a type in the catalog or a glob; description has at most 500 characters',
  async (probe) => {
    for (const change of [
      {},
      { description: 'd'.repeat(500) },
      { subscribedEvents: ['*'] },
      { subscribedEvents: ['lifecycle.evaluated', 'webhook.*', 'webhook.endpoint.*'] },
      { apiVersion: '2026-01-01' },
    ]) {
      assert.equal((await create(probe, change)).status, 201, JSON.stringify(change));
    }
    for (const change of [...REFUSED, { url: undefined }, { subscribedEvents: undefined }]) {
      const { status, body } = await create(probe, change);
      assert.deepEqual([status, body.error?.code], [400, 'VALIDATION'], JSON.stringify(change));
    }
  },
  'key',
);

state(
  'endpoints.update-body',
  'Every field of an update is optional and follows the same rules as on creation; active is a boolean; omitted fields stay unchanged',
  async (probe) => {
    const { endpoint } = (await create(probe, { description: 'd', apiVersion: '2026-01-01' })).body;
    const one = `${ENDPOINTS}/${endpoint.id}`;
    const patch = (body: object) => probe.call('PATCH', one, { ...key, body });
    for (const change of [...REFUSED, { active: 'no' }, { active: null }]) {
      const { status, body } = await patch(change);
      assert.deepEqual([status, body.error?.code], [400, 'VALIDATION'], JSON.stringify(change));
    }
    const expected = { ...endpoint };
    for (const change of [
      {},
      { url: 'https://other.test/' },
      { subscribedEvents: ['webhook.ping'] },
      { description: 'e'.repeat(500) },
      { apiVersion: '2026-02-02' },
      { active: false },
      { active: true },
    ]) {
      const { status, body } = await patch(change);
      Object.assign(expected, change, { updatedAt: body.endpoint?.updatedAt });
      assert.deepEqual([status, body], [200, { endpoint: expected }]);
      assert.deepEqual((await probe.call('GET', one, key)).body, { endpoint: expected });
    }
  },
  'key',
);

state(
  'endpoints.deletion',
  'Deletion is permanent: no route finds the endpoint, and nothing is signed or sent for the endpoint',
  async (probe) => {
    const receiver = await probe.receiver(500);
    const { id } = await probe.endpoint(receiver.url);
    await probe.event();
    await probe.settle();
    const one = `${ENDPOINTS}/${id}`;
    await probe.call('DELETE', one, key);
    for (const [method, path] of [
      ['GET', one],
      ['PATCH', one],
      ['DELETE', one],
      ['POST', `${one}/rotate-secret`],
      ['POST', `${one}/send-test-event`],
    ] as const) {
      const { status } = await probe.call(method, path, { ...key, ...(method === 'PATCH' && { body: {} }) });
      assert.equal(status, 404, `${method} ${path}`);
    }
    assert.deepEqual((await probe.call('GET', ENDPOINTS, key)).body.data, []);
    assert.deepEqual((await probe.event()).deliveries, []);
    await probe.advance('30d');
    assert.equal(receiver.received.length, 1);
  },
);

state(
  'endpoints.deletion-keeps-deliveries',
  'Deliveries are kept when their endpoint is deleted, and can still be filtered by the endpoint’s id',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const before = await probe.delivery(String(deliveries[0]?.id));
    await probe.call('DELETE', `${ENDPOINTS}/${id}`, key);
    assert.deepEqual(await probe.delivery(before.id), before);
    const { body } = await probe.call('GET', `/v1/webhooks/deliveries?endpointId=${id}`, key);
    assert.deepEqual(
      body.data.map((row: { id: string; status: string }) => [row.id, row.status]),
      [[before.id, 'success']],
    );
  },
);

state(
  'endpoints.event-types',
  'Both paths of the event catalog list the same event types, for every workspace',
  async (probe) => {
    const lists = [];
    for (const path of [`${ENDPOINTS}/event-types`, '/v1/webhooks/event-types']) {
      for (const as of [demo.productionKey, demo.globexKey]) lists.push((await probe.call('GET', path, { as })).body);
    }
    for (const list of lists) assert.deepEqual(list, lists[0]);
    const lifecycle = lists[0].data.find(({ type }: { type: string }) => type === 'lifecycle.evaluated');
    assert.equal(lifecycle.category, 'Lifecycle');
  },
);

state(
  'endpoints.rotate',
  'rotate-secret returns { secret } with a new raw secret, which then signs deliveries',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id, secret } = await probe.endpoint(receiver.url);
    const { status, body } = await probe.call('POST', `${ENDPOINTS}/${id}/rotate-secret`, key);
    assert.deepEqual([status, Object.keys(body)], [200, ['secret']]);
    assert.notEqual(body.secret.secret, secret);
    await probe.event();
    await probe.settle();
    const [request] = receiver.received;
    assert.ok(request?.headers['webhook-signature']?.split(' ').includes(signatureOf(body.secret.secret, request)));
  },
);

state(
  'endpoints.test-event',
  'send-test-event returns 202 { ping: { deliveryId } } and enqueues a webhook.ping; the endpoint must be active',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const send = () => probe.call('POST', `${ENDPOINTS}/${id}/send-test-event`, key);
    const { status, body } = await send();
    assert.deepEqual([status, Object.keys(body), Object.keys(body.ping)], [202, ['ping'], ['deliveryId']]);
    await probe.settle();
    const detail = await probe.delivery(body.ping.deliveryId);
    assert.deepEqual([detail.eventType, detail.status, detail.endpointId], ['webhook.ping', 'success', id]);
    await probe.call('PATCH', `${ENDPOINTS}/${id}`, { ...key, body: { active: false } });
    const refused = await send();
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
    const list = await probe.call('GET', '/v1/webhooks/deliveries', key);
    assert.equal(list.body.data.length, 1);
  },
);
