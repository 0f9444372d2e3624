import assert from 'node:assert/strict';
import { demo } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('document', 'Resources and their fields');
export const resources = statements;

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const key = { as: demo.productionKey };

state(
  'resources.timestamps',
  'Timestamps are ISO 8601 strings in UTC; an event’s has millisecond precision',
  async (probe) => {
    const { event } = await probe.event();
    assert.match(event.created, ISO);
    const { body } = await probe.call('GET', `/v1/workspaces/${demo.production}`, key);
    assert.match(body.workspace.createdAt, ISO);
    assert.match(body.workspace.updatedAt, ISO);
  },
);

state(
  'resources.prefixes',
  'Identifiers carry their type’s prefix: org_, wsp_, whe_, whs_, whd_, evt_',
  async (probe) => {
    const { body } = await probe.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { url: 'https://receiver.test/', subscribedEvents: ['*'] },
    });
    assert.match(body.endpoint.id, /^whe_\w+$/);
    assert.match(body.endpoint.workspaceId, /^wsp_\w+$/);
    assert.match(body.secret.id, /^whs_\w+$/);
    const { event, deliveries } = await probe.event();
    assert.match(event.id, /^evt_\w+$/);
    assert.match(String(deliveries[0]?.id), /^whd_\w+$/);
    const workspace = await probe.call('GET', `/v1/workspaces/${demo.production}`, key);
    assert.match(workspace.body.workspace.organizationId, /^org_\w+$/);
  },
);

state(
  'resources.workspace',
  'A workspace has id, name, organizationId, slug, timezone, weekStartsOn, createdAt, updatedAt',
  async (probe) => {
    const { body } = await probe.call('GET', `/v1/workspaces/${demo.production}`, key);
    assert.deepEqual(Object.keys(body.workspace).sort(), [
      'createdAt',
      'id',
      'name',
      'organizationId',
      'slug',
      'timezone',
      'updatedAt',
      'weekStartsOn',
    ]);
  },
);

state(
  'resources.organization',
  'An organization has id, slug, name, logo, role and permissions, and workspaces only when expanded',
  async (probe) => {
    const fields = async (query: string) => {
      const { body } = await probe.call('GET', `/v1/organizations${query}`, { as: demo.owner });
      return Object.keys(body.data[0]).sort();
    };
    assert.deepEqual(await fields(''), ['id', 'logo', 'name', 'permissions', 'role', 'slug']);
    assert.deepEqual(await fields('?expand=workspaces'), [
      'id',
      'logo',
      'name',
      'permissions',
      'role',
      'slug',
      'workspaces',
    ]);
  },
);

state(
  'resources.embedded-workspace',
  'An embedded workspace has id, slug, name, image, role, implicit and permissions',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.owner });
    const [workspace] = body.data[0].workspaces;
    assert.deepEqual(Object.keys(workspace).sort(), ['id', 'image', 'implicit', 'name', 'permissions', 'role', 'slug']);
    for (const permission of workspace.permissions) assert.match(permission, /^workspace:\w+:(read|write)$/);
    for (const permission of body.data[0].permissions) assert.match(permission, /^org:\w+:(read|write)$/);
  },
);

state(
  'resources.endpoint',
  'A webhook endpoint has id, workspaceId, url, description, subscribedEvents, active, apiVersion, createdAt, updatedAt',
  async (probe) => {
    const { id } = await probe.endpoint('https://receiver.test/');
    const { body } = await probe.call('GET', `/v1/webhooks/endpoints/${id}`, key);
    assert.deepEqual(Object.keys(body.endpoint).sort(), [
      'active',
      'apiVersion',
      'createdAt',
      'description',
      'id',
      'subscribedEvents',
      'updatedAt',
      'url',
      'workspaceId',
    ]);
  },
);

state(
  'resources.secret-once',
  'The raw secret (whsec_) is returned exactly once, with id, secretPreview and createdAt',
  async (probe) => {
    const created = await probe.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { url: 'https://receiver.test/', subscribedEvents: ['*'] },
    });
    assert.deepEqual(Object.keys(created.body.secret).sort(), ['createdAt', 'id', 'secret', 'secretPreview']);
    assert.match(created.body.secret.secret, /^whsec_[A-Za-z0-9_-]+$/);
    for (const path of ['', `/${created.body.endpoint.id}`]) {
      const { text } = await probe.call('GET', `/v1/webhooks/endpoints${path}`, key);
      assert.ok(!text.includes('whsec_'));
    }
  },
);

state(
  'resources.delivery',
  'A delivery has the documented fields, and the single-delivery answer adds the snapshot fields',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    const { deliveries } = await probe.event();
    await probe.settle();
    const list = await probe.call('GET', '/v1/webhooks/deliveries', key);
    const fields = [
      'attempt',
      'createdAt',
      'deliveredAt',
      'endpointId',
      'error',
      'eventId',
      'eventType',
      'id',
      'responseStatus',
      'responseTimeMs',
      'status',
      'workspaceId',
    ];
    assert.deepEqual(Object.keys(list.body.data[0]).sort(), fields);
    const snapshot = ['nextAttemptAt', 'requestBody', 'requestHeaders', 'responseBody', 'responseHeaders', 'subject'];
    const detail = await probe.delivery(String(deliveries[0]?.id));
    assert.deepEqual(Object.keys(detail).sort(), [...fields, ...snapshot].sort());
    assert.deepEqual(detail.subject, { id: demo.production, type: 'workspace' });
  },
);

state(
  'resources.event',
  'An event has id, type, created and subject, and never embeds resource fields; a ping has no subject',
  async (probe) => {
    const receiver = await probe.receiver();
    const { id } = await probe.endpoint(receiver.url);
    const { event } = await probe.event();
    const shown = await probe.call('GET', `/v1/events/${event.id}`, key);
    assert.deepEqual(Object.keys(shown.body), ['id', 'type', 'created', 'subject']);
    assert.deepEqual(shown.body.subject, {
      id: demo.production,
      type: 'workspace',
      url: `/v1/workspaces/${demo.production}`,
    });
    await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
    const pings = await probe.call('GET', '/v1/events?type=webhook.ping', key);
    assert.deepEqual(Object.keys(pings.body.data[0]), ['id', 'type', 'created']);
  },
);

state('resources.catalog-item', 'An item of the event catalog has type, category and description', async (probe) => {
  const { body } = await probe.call('GET', '/v1/webhooks/event-types', key);
  for (const item of body.data) assert.deepEqual(Object.keys(item).sort(), ['category', 'description', 'type']);
});
