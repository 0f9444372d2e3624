import assert from 'node:assert/strict';
import { assertShape, flag, identifier, integer, listOf, oneOf, orNull, text, time, timestamp } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Resources and their fields');
export const resources = statements;

const key = { as: demo.productionKey };
const create = { ...key, body: { url: 'https://receiver.test/', subscribedEvents: ['*'] } };
const matching = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

state(
  'resources.json',
  'Every response body is JSON, even the body of an error',
  async (probe) => {
    for (const [path, options] of [
      ['/v1/me', key],
      ['/v1/events', key],
      ['/v1/me', {}],
      ['/v1/nothing', key],
    ] as const) {
      const { headers, body } = await probe.call('GET', path, options);
      assert.match(String(headers.get('content-type')), /^application\/json\b/, path);
      assert.equal(typeof body, 'object');
    }
  },
  'key',
);

state(
  'resources.timestamps',
  'Timestamps are ISO 8601 strings in UTC; the timestamps of events have millisecond precision',
  async (probe) => {
    const { event } = await probe.event();
    assert.ok(time(event.created));
    const { body } = await probe.call('GET', `/v1/workspaces/${demo.production}`, key);
    assert.ok(timestamp(body.workspace.createdAt));
    assert.ok(timestamp(body.workspace.updatedAt));
  },
);

state(
  'resources.prefixes',
  'Each identifier has the prefix of its type: org_, wsp_, whe_, whs_, whd_, evt_',
  async (probe) => {
    const { body } = await probe.call('POST', '/v1/webhooks/endpoints', create);
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
  'A workspace has id, name, organizationId, slug, timezone or null, weekStartsOn or null, createdAt, updatedAt',
  async (probe) => {
    const read = async (workspace: string, as: string) =>
      (await probe.call('GET', `/v1/workspaces/${workspace}`, { as })).body.workspace;
    const { createdAt, updatedAt, ...production } = await read(demo.production, demo.productionKey);
    assert.deepEqual(production, {
      id: demo.production,
      name: 'Production',
      organizationId: demo.acme,
      slug: 'production',
      timezone: 'Europe/Berlin',
      weekStartsOn: 1,
    });
    assert.ok(timestamp(createdAt) && timestamp(updatedAt));
    const staging = await read(demo.staging, demo.stagingKey);
    assert.deepEqual([staging.timezone, staging.weekStartsOn], [null, null]);
  },
);

state(
  'resources.updated-at',
  'For workspaces and endpoints, updatedAt is the time of the last update, and createdAt never changes',
  async (probe) => {
    await probe.freeze();
    const { id: endpointId } = await probe.endpoint('https://receiver.test/');
    for (const [name, path, change] of [
      ['workspace', `/v1/workspaces/${demo.production}`, { name: 'Renamed' }],
      ['endpoint', `/v1/webhooks/endpoints/${endpointId}`, { description: 'Renamed' }],
    ] as const) {
      const before = (await probe.call('GET', path, key)).body[name];
      await probe.advance('1h');
      const { now } = (await probe.control('GET', '/clock')).body;
      await probe.call('PATCH', path, { ...key, body: change });
      const after = (await probe.call('GET', path, key)).body[name];
      assert.deepEqual([after.createdAt, after.updatedAt], [before.createdAt, now], name);
    }
  },
);

const organization = {
  id: identifier('org_'),
  slug: text,
  name: text,
  logo: orNull(text),
  role: oneOf('Owner', 'Admin', 'Viewer'),
  permissions: listOf(matching(/^org:[a-z]+:(read|write)$/)),
};

state(
  'resources.organization',
  'An organization has id, slug, name, logo or null, role and permissions, and has workspaces only when expanded',
  async (probe) => {
    const read = async (query: string) =>
      (await probe.call('GET', `/v1/organizations${query}`, { as: demo.owner })).body.data[0];
    assertShape(await read(''), organization);
    assertShape(await read('?expand=workspaces'), { ...organization, workspaces: Array.isArray });
  },
  'token',
);

state(
  'resources.embedded-workspace',
  'An embedded workspace has id, slug, name, image or null, role, implicit and permissions',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.owner });
    assert.equal(body.data[0].workspaces.length, 2);
    for (const workspace of body.data[0].workspaces) {
      assertShape(workspace, {
        id: identifier('wsp_'),
        slug: text,
        name: text,
        image: orNull(text),
        role: oneOf('Owner', 'Admin', 'Viewer'),
        implicit: flag,
        permissions: listOf(matching(/^workspace:[a-z]+:(read|write)$/)),
      });
    }
  },
);

state(
  'resources.endpoint',
  'A webhook endpoint has id, workspaceId, url, description, subscribedEvents, active, apiVersion, createdAt, updatedAt',
  async (probe) => {
    const { body } = await probe.call('POST', '/v1/webhooks/endpoints', {
      ...key,
      body: { ...create.body, description: 'A label' },
    });
    assertShape(body.endpoint, {
      id: identifier('whe_'),
      workspaceId: oneOf(demo.production),
      url: oneOf('https://receiver.test/'),
      description: oneOf('A label'),
      subscribedEvents: listOf(oneOf('*')),
      active: oneOf(true),
      apiVersion: text,
      createdAt: timestamp,
      updatedAt: oneOf(body.endpoint.createdAt),
    });
  },
  'key',
);

state(
  'resources.secret-once',
  'The raw secret (whsec_) is returned exactly once, on creation or rotation, with id, secretPreview and createdAt',
  async (probe) => {
    const secret = {
      id: identifier('whs_'),
      secret: matching(/^whsec_[A-Za-z0-9_-]+$/),
      secretPreview: text,
      createdAt: timestamp,
    };
    const created = await probe.call('POST', '/v1/webhooks/endpoints', create);
    const one = `/v1/webhooks/endpoints/${created.body.endpoint.id}`;
    const rotated = await probe.call('POST', `${one}/rotate-secret`, key);
    assertShape(created.body.secret, secret);
    assertShape(rotated.body.secret, secret);
    assert.notEqual(rotated.body.secret.id, created.body.secret.id);
    const later = [
      await probe.call('GET', '/v1/webhooks/endpoints', key),
      await probe.call('GET', one, key),
      await probe.call('PATCH', one, { ...key, body: { description: 'd' } }),
    ];
    for (const { text: response } of later)
      assert.ok(!response.includes('whsec_') && !response.includes('secret'), response);
  },
  'key',
);

state(
  'resources.secret-preview',
  'secretPreview is a shortened form of the secret',
  async (probe) => {
    const { secret, secretPreview } = (await probe.call('POST', '/v1/webhooks/endpoints', create)).body.secret;
    const shown = secretPreview.split(/…|\.\.\.|\*+/).filter(Boolean);
    assert.ok(shown.length > 0 && shown.every((part: string) => secret.includes(part)), secretPreview);
    assert.ok(secretPreview.length < secret.length / 2, 'the preview shows too much of the secret');
  },
  'key',
);

state(
  'resources.event',
  'An event has id, type, created and subject, and never embeds resource fields; a ping has no subject',
  async (probe) => {
    const { id: endpointId } = await probe.endpoint('https://receiver.test/');
    const { event } = await probe.event();
    await probe.call('POST', `/v1/webhooks/endpoints/${endpointId}/send-test-event`, key);
    const envelope = { id: identifier('evt_'), type: text, created: time };
    const [ping, evaluated] = (await probe.call('GET', '/v1/events', key)).body.data;
    assertShape(ping, envelope);
    assertShape(evaluated, { ...envelope, subject: (value) => typeof value === 'object' });
    assert.deepEqual(evaluated.subject, {
      id: demo.production,
      type: 'workspace',
      url: `/v1/workspaces/${demo.production}`,
    });
    assert.deepEqual((await probe.call('GET', `/v1/events/${event.id}`, key)).body, evaluated);
    assert.deepEqual((await probe.call('GET', `/v1/events/${ping.id}`, key)).body, ping);
  },
);

state(
  'resources.catalog-item',
  'An item of the event catalog has type, category and description',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/webhooks/event-types', key);
    assert.ok(integer(body.data.length) && body.data.length > 0);
    const words = matching(/\w/);
    for (const item of body.data) assertShape(item, { type: words, category: words, description: words });
  },
  'key',
);
