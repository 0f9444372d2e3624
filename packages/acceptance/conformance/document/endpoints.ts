import assert from 'node:assert/strict';
import { demo, type Probe } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('document', 'Endpoints');
export const endpoints = statements;

const key = { as: demo.productionKey };
const path = `/v1/workspaces/${demo.production}`;
const patch = (probe: Probe, body: unknown) => probe.call('PATCH', path, { ...key, body });
const isRefused = async (answer: Promise<{ status: number; body: { error?: { code: string } } }>) => {
  const { status, body } = await answer;
  assert.deepEqual([status, body.error?.code], [400, 'VALIDATION']);
};

state(
  'workspaces.list',
  'GET /v1/workspaces lists workspace objects as a single page, for a personal access token',
  async (probe) => {
    const { status, body } = await probe.call('GET', '/v1/workspaces', { as: demo.owner });
    assert.equal(status, 200);
    assert.deepEqual(new Set(body.data.map(({ id }: { id: string }) => id)), new Set([demo.production, demo.staging]));
    assert.equal(body.nextPageUrl, null);
  },
);

state('workspaces.retrieve', 'GET /v1/workspaces/{workspaceId} answers { workspace }', async (probe) => {
  const { status, body } = await probe.call('GET', path, key);
  assert.deepEqual([status, Object.keys(body), body.workspace.id], [200, ['workspace'], demo.production]);
});

state(
  'workspaces.update',
  'PATCH answers { workspace: { id, name, slug, timezone, weekStartsOn } }; every field is optional',
  async (probe) => {
    const { status, body } = await patch(probe, { name: 'New' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      workspace: { id: demo.production, name: 'New', slug: 'production', timezone: 'Europe/Berlin', weekStartsOn: 1 },
    });
    assert.equal((await patch(probe, {})).status, 200);
  },
);

state(
  'workspaces.bounds',
  'name and slug have 1 to 120 characters, timezone 1 to 64, weekStartsOn is 0 to 6',
  async (probe) => {
    for (const body of [
      { name: 'n'.repeat(120) },
      { slug: 's'.repeat(120) },
      { timezone: 'UTC' },
      { weekStartsOn: 0 },
      { weekStartsOn: 6 },
    ]) {
      assert.equal((await patch(probe, body)).status, 200, JSON.stringify(body));
    }
    for (const body of [
      { name: '' },
      { name: 'n'.repeat(121) },
      { slug: '' },
      { slug: 's'.repeat(121) },
      { timezone: '' },
      { timezone: 'z'.repeat(65) },
      { weekStartsOn: -1 },
      { weekStartsOn: 7 },
      { weekStartsOn: 1.5 },
    ]) {
      await isRefused(patch(probe, body));
    }
  },
);

state('workspaces.nulls', 'timezone null resets to UTC, weekStartsOn null to Monday', async (probe) => {
  const { body } = await patch(probe, { timezone: null, weekStartsOn: null });
  assert.deepEqual([body.workspace.timezone, body.workspace.weekStartsOn], [null, null]);
});

state('workspaces.slug-unique', 'A slug is unique within the organization', async (probe) => {
  assert.equal((await patch(probe, { slug: 'staging' })).status, 409);
  assert.equal((await patch(probe, { slug: 'main' })).status, 200);
});

state(
  'organizations.list',
  'GET /v1/organizations lists the organizations that the caller belongs to, with the caller’s role',
  async (probe) => {
    for (const [as, role] of [
      [demo.owner, 'Owner'],
      [demo.admin, 'Admin'],
      [demo.viewer, 'Viewer'],
    ] as const) {
      const { body } = await probe.call('GET', '/v1/organizations', { as });
      assert.deepEqual(
        body.data.map((organization: { id: string; role: string }) => [organization.id, organization.role]),
        [[demo.acme, role]],
      );
    }
  },
);

state(
  'endpoints.crud',
  'Webhook endpoints are created (201), listed, retrieved, updated (200) and deleted ({ ok: true })',
  async (probe) => {
    const created = await probe.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { url: 'https://receiver.test/', subscribedEvents: ['lifecycle.evaluated'], description: 'd' },
    });
    assert.deepEqual([created.status, Object.keys(created.body)], [201, ['endpoint', 'secret']]);
    const one = `/v1/webhooks/endpoints/${created.body.endpoint.id}`;
    assert.deepEqual((await probe.call('GET', one, key)).body, { endpoint: created.body.endpoint });
    const updated = await probe.call('PATCH', one, { ...key, body: { url: 'https://other.test/' } });
    assert.equal(updated.body.endpoint.url, 'https://other.test/');
    assert.equal(updated.body.endpoint.description, 'd');
    const deleted = await probe.call('DELETE', one, key);
    assert.deepEqual([deleted.status, deleted.body], [200, { ok: true }]);
    assert.equal((await probe.call('GET', one, key)).status, 404);
  },
);

state(
  'endpoints.deletion-keeps-deliveries',
  'Past delivery rows are kept when their endpoint is deleted',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    await probe.call('DELETE', `/v1/webhooks/endpoints/${id}`, key);
    assert.equal((await probe.delivery(String(deliveries[0]?.id))).status, 'success');
  },
);

state(
  'endpoints.create-body',
  'url is an absolute https URL, subscribedEvents match the catalog or a glob, description has at most 500 characters',
  async (probe) => {
    const create = (change: object) =>
      probe.call('POST', '/v1/webhooks/endpoints', {
        ...key,
        body: { url: 'https://receiver.test/', subscribedEvents: ['lifecycle.*'], ...change },
      });
    for (const change of [
      { description: 'd'.repeat(500) },
      { subscribedEvents: ['*'] },
      { apiVersion: '2026-01-01' },
    ]) {
      assert.equal((await create(change)).status, 201);
    }
    for (const change of [
      { url: undefined },
      { url: '/relative' },
      { url: 'http://receiver.test/' },
      { subscribedEvents: undefined },
      { subscribedEvents: ['made.up'] },
      { subscribedEvents: ['made.*'] },
      { description: 'd'.repeat(501) },
    ]) {
      await isRefused(create(change));
    }
  },
);

state(
  'endpoints.event-types',
  'The catalog is listed under both paths, the same for every workspace',
  async (probe) => {
    const one = await probe.call('GET', '/v1/webhooks/endpoints/event-types', key);
    const other = await probe.call('GET', '/v1/webhooks/event-types', { as: demo.globexKey });
    assert.deepEqual(one.body.data, other.body.data);
    const lifecycle = one.body.data.find(({ type }: { type: string }) => type === 'lifecycle.evaluated');
    assert.equal(lifecycle.category, 'Lifecycle');
  },
);

state('endpoints.rotate', 'rotate-secret answers { secret } with a new raw secret', async (probe) => {
  const { id, secret } = await probe.endpoint('https://receiver.test/');
  const { status, body } = await probe.call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`, key);
  assert.deepEqual([status, Object.keys(body)], [200, ['secret']]);
  assert.notEqual(body.secret.secret, secret);
});

state(
  'endpoints.test-event',
  'send-test-event answers 202 { ping: { deliveryId } } and enqueues a webhook.ping; the endpoint must be active',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { status, body } = await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    assert.deepEqual([status, Object.keys(body), Object.keys(body.ping)], [202, ['ping'], ['deliveryId']]);
    await probe.settle();
    const detail = await probe.delivery(body.ping.deliveryId);
    assert.deepEqual([detail.eventType, detail.status], ['webhook.ping', 'success']);
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
    assert.equal((await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key)).status, 409);
  },
);

state(
  'deliveries.replay',
  'Replay makes a new row with a new id, attempt 0 and the same payload; the original is unchanged',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id: endpointId } = await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const id = String(deliveries[0]?.id);
    const original = await probe.delivery(id);
    const { body } = await probe.call('POST', `/v1/webhooks/deliveries/${id}/replay`, key);
    assert.deepEqual(Object.keys(body.delivery).sort(), ['endpointId', 'id']);
    assert.equal(body.delivery.endpointId, endpointId);
    assert.notEqual(body.delivery.id, id);
    await probe.settle();
    assert.equal(receiver.received[1]?.body, receiver.received[0]?.body);
    assert.deepEqual(await probe.delivery(id), original);
  },
);

state(
  'deliveries.filters',
  'Deliveries filter by endpoint, status, exact event type and createdAt, both bounds inclusive',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    await probe.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...key, body: { active: false } });
    const { event } = await probe.event();
    const count = async (query: string) =>
      (await probe.call('GET', `/v1/webhooks/deliveries?${query}`, key)).body.data.length;
    assert.equal(await count(`endpointId=${id}&status=disabled&eventType=lifecycle.evaluated`), 1);
    assert.equal(await count(`endpointId=whe_other`), 0);
    assert.equal(await count('status=success'), 0);
    assert.equal(await count('eventType=lifecycle.*'), 0);
    const at = encodeURIComponent(event.created);
    assert.equal(await count(`createdFrom=${at}&createdTo=${at}`), 1);
    const later = encodeURIComponent(new Date(Date.parse(event.created) + 1).toISOString());
    assert.equal(await count(`createdFrom=${later}`), 0);
  },
);

state(
  'events.retrieve',
  'GET /v1/events/<event_id> answers the envelope, identical to the body that was POSTed',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    const { event } = await probe.event();
    await probe.settle();
    const { text } = await probe.call('GET', `/v1/events/${event.id}`, key);
    assert.equal(text, receiver.received[0]?.body);
  },
);

state(
  'events.list',
  'GET /v1/events filters by type, subjectType and subjectId, within the bound workspace',
  async (probe) => {
    await probe.event();
    const count = async (query: string, as: string = demo.productionKey) =>
      (await probe.call('GET', `/v1/events?${query}`, { as })).body.data.length;
    assert.equal(await count(`type=lifecycle.evaluated&subjectType=workspace&subjectId=${demo.production}`), 1);
    assert.equal(await count('type=webhook.ping'), 0);
    assert.equal(await count('subjectId=wsp_other'), 0);
    assert.equal(await count('', demo.stagingKey), 0);
  },
);

state('me.answers', 'GET /v1/me answers the caller’s identity', async (probe) => {
  const { status, body } = await probe.call('GET', '/v1/me', { as: demo.owner });
  assert.equal(status, 200);
  assert.equal(body.user.email, 'olivia@acme.test');
});

state('search.header', 'GET /v1/search needs Service-Workspace-Id with a personal access token', async (probe) => {
  assert.equal((await probe.call('GET', '/v1/search?q=x', { as: demo.owner })).status, 400);
  assert.equal((await probe.call('GET', '/v1/search?q=x', { as: demo.owner, workspace: demo.production })).status, 200);
});
