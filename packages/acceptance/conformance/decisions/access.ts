import assert from 'node:assert/strict';
import { demo } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('decision', 'Access');
export const access = statements;

state(
  'access.permission-sets',
  'Owner and Admin hold every area (only the Owner writes billing); a Viewer holds every read',
  async (probe) => {
    const permissions = async (as: string) =>
      (await probe.call('GET', '/v1/organizations', { as })).body.data[0].permissions.toSorted();
    const areas = ['billing', 'members', 'settings', 'workspaces'];
    const reads = areas.map((area) => `org:${area}:read`);
    const writes = areas.map((area) => `org:${area}:write`);
    assert.deepEqual(await permissions(demo.owner), [...reads, ...writes].toSorted());
    assert.deepEqual(
      await permissions(demo.admin),
      [...reads, ...writes.filter((name) => !name.includes('billing'))].toSorted(),
    );
    assert.deepEqual(await permissions(demo.viewer), reads);
  },
);

state(
  'access.implicit',
  'implicit is true where the organization’s role holds and false where an override gave it',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.viewer });
    const byId = new Map(body.data[0].workspaces.map((item: { id: string }) => [item.id, item]));
    const roleOf = (id: string) => {
      const { role, implicit } = byId.get(id) as { role: string; implicit: boolean };
      return [role, implicit];
    };
    assert.deepEqual(roleOf(demo.production), ['Viewer', true]);
    assert.deepEqual(roleOf(demo.staging), ['Admin', false]);
  },
);

state('access.none', 'The override None denies access, and the workspace is not listed', async (probe) => {
  const list = await probe.call('GET', '/v1/workspaces', { as: demo.admin });
  assert.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [demo.production],
  );
  const expanded = await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.admin });
  assert.equal(expanded.body.data[0].workspaces.length, 1);
});

state(
  'access.developer',
  'Webhook endpoints, deliveries, events and the catalog need workspace:developer:read to read, :write to change',
  async (probe) => {
    const as = { as: demo.viewer, workspace: demo.production };
    for (const path of [
      '/v1/webhooks/endpoints',
      '/v1/webhooks/deliveries',
      '/v1/events',
      '/v1/webhooks/event-types',
    ]) {
      assert.equal((await probe.call('GET', path, as)).status, 200, path);
    }
    const { id } = await probe.endpoint('https://receiver.test/');
    const one = `/v1/webhooks/endpoints/${id}`;
    for (const [method, path] of [
      ['POST', '/v1/webhooks/endpoints'],
      ['PATCH', one],
      ['DELETE', one],
      ['POST', `${one}/rotate-secret`],
      ['POST', `${one}/send-test-event`],
      ['POST', '/v1/webhooks/deliveries/whd_x/replay'],
    ] as const) {
      const { status, body } = await probe.call(method, path, { ...as, body: {} });
      assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'], `${method} ${path}`);
    }
  },
);

state(
  'access.mismatch-first',
  'Path and header that disagree are 400 before anything else is looked at',
  async (probe) => {
    for (const as of [demo.owner, demo.stranger, demo.productionKey]) {
      const { status } = await probe.call('GET', `/v1/workspaces/${demo.production}`, { as, workspace: demo.globex });
      assert.equal(status, 400);
    }
  },
);

state('access.organizations-token', 'GET /v1/organizations needs a personal access token', async (probe) => {
  assert.equal((await probe.call('GET', '/v1/organizations', { as: demo.productionKey })).status, 403);
});

state(
  'access.api-key',
  'An API key holds every workspace permission and needs no header; one that names another workspace is 403',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/me', { as: demo.productionKey });
    assert.equal(body.workspace.permissions.length, 10);
    for (const [workspace, status] of [
      [demo.production, 200],
      [demo.staging, 403],
    ] as const) {
      assert.equal((await probe.call('GET', '/v1/events', { as: demo.productionKey, workspace })).status, status);
    }
  },
);

state(
  'access.token-header',
  'A token without the header is 400 where a workspace is needed, and 403 for one out of reach',
  async (probe) => {
    assert.equal((await probe.call('GET', '/v1/events', { as: demo.owner })).status, 400);
    assert.equal((await probe.call('GET', '/v1/events', { as: demo.owner, workspace: demo.globex })).status, 403);
  },
);

state(
  'access.optional-header',
  '/v1/me, /v1/organizations and /v1/workspaces need no header; one that is sent must be within reach',
  async (probe) => {
    for (const path of ['/v1/me', '/v1/organizations', '/v1/workspaces']) {
      assert.equal((await probe.call('GET', path, { as: demo.owner })).status, 200, path);
      assert.equal((await probe.call('GET', path, { as: demo.owner, workspace: demo.staging })).status, 200, path);
      assert.equal((await probe.call('GET', path, { as: demo.owner, workspace: demo.globex })).status, 403, path);
    }
  },
);

state(
  'access.no-enumeration',
  'A workspace that exists and one that does not answer a stranger alike',
  async (probe) => {
    const ask = async (id: string) => {
      const { status, text } = await probe.call('GET', `/v1/workspaces/${id}`, { as: demo.stranger });
      return { status, text };
    };
    assert.deepEqual(await ask(demo.production), await ask('wsp_01DEM0000000000000000000ZZ'));
  },
);

state(
  'access.override-membership',
  'An override needs membership of the organization: 409 for an outsider',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/me', { as: demo.stranger });
    const answer = await probe.control('PUT', `/workspaces/${demo.production}/members/${body.user.id}`, {
      role: 'Admin',
    });
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'CONFLICT']);
  },
);
