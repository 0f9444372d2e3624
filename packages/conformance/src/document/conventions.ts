import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { assertKeys } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Conventions');
export const conventions = statements;

const key = { as: demo.productionKey };
const SINGLE_PAGE = ['/v1/workspaces', '/v1/organizations', '/v1/webhooks/endpoints'];
const PAGED = [
  '/v1/webhooks/deliveries',
  '/v1/events',
  '/v1/webhooks/event-types',
  '/v1/webhooks/endpoints/event-types',
  '/v1/search?q=x',
];
const as = { as: demo.owner, workspace: demo.production };

async function events(probe: Probe, count: number) {
  const body = { events: Array(count).fill({ workspaceId: demo.production, type: 'lifecycle.evaluated' }) };
  return (await probe.control('POST', '/events', body)).body.events.map(
    ({ event }: { event: { id: string } }) => event.id,
  ) as string[];
}

state(
  'lists.envelope',
  'Every list returns { data, nextPageUrl, previousPageUrl }',
  async (probe) => {
    for (const path of [...SINGLE_PAGE, ...PAGED]) {
      const { status, body } = await probe.call('GET', path, as);
      assert.equal(status, 200, path);
      assertKeys(body, 'data', 'nextPageUrl', 'previousPageUrl');
      assert.ok(Array.isArray(body.data));
    }
  },
  'token',
);

state('lists.limit', 'In every list, limit is from 1 to 100, and 20 by default', async (probe) => {
  await events(probe, 25);
  assert.equal((await probe.call('GET', '/v1/events', key)).body.data.length, 20);
  assert.equal((await probe.call('GET', '/v1/events?limit=100', key)).body.data.length, 25);
  assert.equal((await probe.call('GET', '/v1/events?limit=1', key)).body.data.length, 1);
  for (const path of [...SINGLE_PAGE, ...PAGED]) {
    const query = path.includes('?') ? '&' : '?';
    assert.equal((await probe.call('GET', `${path}${query}limit=100`, as)).status, 200, path);
    for (const limit of ['0', '101', '-1', '1.5', '1e1', '0x10', 'ten', '']) {
      const { status, body } = await probe.call('GET', `${path}${query}limit=${limit}`, as);
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION'], `${path} ${limit}`);
    }
  }
});

state(
  'lists.single-page',
  'Lists of organizations, workspaces and webhook endpoints have one page and null page URLs, regardless of limit',
  async (probe) => {
    await probe.endpoint('https://receiver.test/1');
    await probe.endpoint('https://receiver.test/2');
    for (const path of SINGLE_PAGE) {
      const { body } = await probe.call('GET', `${path}?limit=1`, as);
      assert.deepEqual([body.nextPageUrl, body.previousPageUrl], [null, null], path);
      assert.equal(body.data.length, path === '/v1/organizations' ? 1 : 2, path);
    }
  },
);

state('lists.keyset', 'New rows do not shift page boundaries', async (probe) => {
  const ids = await events(probe, 6);
  const first = await probe.call('GET', '/v1/events?limit=3', key);
  await events(probe, 4);
  const second = await probe.call('GET', first.body.nextPageUrl, key);
  const seen = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
  assert.deepEqual(seen, ids.toReversed());
});

state(
  'lists.invalid-page',
  'On every list, the API returns 400 VALIDATION for an invalid page token',
  async (probe) => {
    for (const path of [...SINGLE_PAGE, ...PAGED]) {
      const { status, body } = await probe.call('GET', `${path}${path.includes('?') ? '&' : '?'}page=nonsense`, as);
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION'], path);
    }
  },
  'token',
);

const expand = async (probe: Probe, value: string) =>
  await probe.call('GET', `/v1/organizations?expand=${encodeURIComponent(value)}`, as);

state(
  'expand.trim',
  'White space around expand names is trimmed, and duplicates are ignored',
  async (probe) => {
    const once = await expand(probe, 'workspaces');
    const { status, body } = await expand(probe, ' workspaces ,\tworkspaces');
    assert.equal(status, 200);
    assert.ok(Array.isArray(body.data[0].workspaces));
    assert.deepEqual(body, once.body);
  },
  'token',
);

state(
  'expand.depth',
  'expand accepts only one level of nesting',
  async (probe) => {
    const { status, body } = await expand(probe, 'workspaces.members');
    assert.equal(status, 400);
    assert.equal(body.error.message, 'Unknown expand field: "workspaces.members". Available: workspaces.');
  },
  'token',
);

state(
  'expand.unknown',
  'For an unknown expand name, the API returns 400 VALIDATION with the documented message',
  async (probe) => {
    for (const value of ['members', 'workspaces,members', ' members ,workspaces']) {
      const { status, body } = await expand(probe, value);
      assert.equal(status, 400, value);
      assert.deepEqual(body, {
        error: { code: 'VALIDATION', message: 'Unknown expand field: "members". Available: workspaces.' },
      });
    }
  },
  'token',
);

state(
  'expand.pagination',
  'Expanding does not change pagination',
  async (probe) => {
    for (const query of ['', 'limit=1', 'limit=0', 'page=nonsense']) {
      const plain = await probe.call('GET', `/v1/organizations?${query}`, as);
      const expanded = await probe.call('GET', `/v1/organizations?expand=workspaces&${query}`, as);
      assert.equal(expanded.status, plain.status);
      const body = structuredClone(expanded.body);
      for (const organization of body.data ?? []) delete organization.workspaces;
      assert.deepEqual(body, plain.body);
    }
  },
  'token',
);
