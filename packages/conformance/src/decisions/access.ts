import assert from 'node:assert/strict';
import { OPERATIONS } from '../operations.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('decision', 'Access');
export const access = statements;

state(
  'access.permission-sets',
  'Owners can read and write every area; Admins can read every area and write every area except billing; Viewers can only read',
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
  'access.workspace-permissions',
  'In a workspace, Owners, Admins and API keys can read and write every area; Viewers can only read',
  async (probe) => {
    const areas = ['developer', 'lifecycle', 'members', 'profiles', 'settings'];
    const reads = areas.map((area) => `workspace:${area}:read`);
    const all = [...reads, ...areas.map((area) => `workspace:${area}:write`)].sort();
    for (const [as, role, expected] of [
      [demo.productionKey, null, all],
      [demo.owner, 'Owner', all],
      [demo.admin, 'Admin', all],
      [demo.viewer, 'Viewer', reads],
    ] as const) {
      const { body } = await probe.call('GET', '/v1/me', { as, workspace: demo.production });
      assert.deepEqual([body.workspace.role, body.workspace.permissions.sort()], [role, expected]);
      if (role === null) continue;
      const { data } = (await probe.call('GET', '/v1/organizations?expand=workspaces', { as })).body;
      const shown = data[0].workspaces.find(({ id }: { id: string }) => id === demo.production);
      assert.deepEqual([shown.role, shown.permissions.sort()], [role, expected]);
    }
  },
);

state(
  'access.overrides',
  'An override that raises, lowers or removes the organization’s role takes effect at once, but only in its own workspace',
  async (probe) => {
    const userId = userOf(demo.owner);
    const write = async (id: string) =>
      (await probe.call('PATCH', `/v1/workspaces/${id}`, { as: demo.owner, body: {} })).status;
    const read = async (id: string) => (await probe.call('GET', `/v1/workspaces/${id}`, { as: demo.owner })).status;
    for (const [role, shown, statuses] of [
      ['Admin', ['Admin', false], [200, 200]],
      ['Viewer', ['Viewer', false], [200, 403]],
      ['None', undefined, [403, 403]],
      ['Owner', ['Owner', false], [200, 200]],
      [null, ['Owner', true], [200, 200]],
    ] as const) {
      await probe.control('PUT', `/workspaces/${demo.staging}/members/${userId}`, { role });
      assert.deepEqual([await read(demo.staging), await write(demo.staging)], statuses, String(role));
      assert.equal(await write(demo.production), 200);
      const { data } = (await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.owner })).body;
      assert.equal(data[0].role, 'Owner');
      const found = data[0].workspaces.find(({ id }: { id: string }) => id === demo.staging);
      assert.deepEqual(found && [found.role, found.implicit], shown);
      const list = (await probe.call('GET', '/v1/workspaces', { as: demo.owner })).body.data;
      assert.equal(list.length, shown ? 2 : 1);
    }
    await probe.control('PUT', `/workspaces/${demo.production}/members/${userOf(demo.viewer)}`, {
      role: 'Owner',
    });
    const up = await probe.call('PATCH', `/v1/workspaces/${demo.production}`, { as: demo.viewer, body: {} });
    assert.equal(up.status, 200);
  },
);

state('access.membership-ends', 'When a membership ends, the user loses all access at once', async (probe) => {
  const userId = userOf(demo.viewer);
  await probe.control('PUT', `/organizations/${demo.acme}/members/${userId}`, { role: null });
  for (const id of [demo.production, demo.staging]) {
    assert.equal((await probe.call('GET', `/v1/workspaces/${id}`, { as: demo.viewer })).status, 403);
    assert.equal((await probe.call('GET', '/v1/events', { as: demo.viewer, workspace: id })).status, 403);
  }
  for (const path of ['/v1/organizations', '/v1/workspaces']) {
    assert.deepEqual((await probe.call('GET', path, { as: demo.viewer })).body.data, []);
  }
});

state(
  'access.implicit',
  'implicit is true if the role comes from the organization, and false if the role comes from an override',
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

state('access.none', 'A user whose override is `None` has no access, and lists hide the workspace', async (probe) => {
  const list = await probe.call('GET', '/v1/workspaces', { as: demo.admin });
  assert.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [demo.production],
  );
  const expanded = await probe.call('GET', '/v1/organizations?expand=workspaces', { as: demo.admin });
  assert.equal(expanded.body.data[0].workspaces.length, 1);
  assert.equal((await probe.call('GET', `/v1/workspaces/${demo.staging}`, { as: demo.admin })).status, 403);
  assert.equal((await probe.call('GET', '/v1/events', { as: demo.admin, workspace: demo.staging })).status, 403);
});

state(
  'access.developer',
  'workspace:developer:read allows a user to read endpoints, deliveries, events and the catalog; to change them, a user needs workspace:developer:write',
  async (probe) => {
    const as = { as: demo.viewer, workspace: demo.production };
    for (const path of [
      '/v1/webhooks/endpoints',
      '/v1/webhooks/deliveries',
      '/v1/events',
      '/v1/webhooks/event-types',
      '/v1/webhooks/endpoints/event-types',
    ]) {
      assert.equal((await probe.call('GET', path, as)).status, 200, path);
      assert.equal((await probe.call('GET', path, { as: demo.viewer })).status, 400, path);
    }
    const { id } = await probe.endpoint('https://receiver.test/');
    const one = `/v1/webhooks/endpoints/${id}`;
    const { event, deliveries } = await probe.event();
    for (const path of [one, `/v1/events/${event.id}`, `/v1/webhooks/deliveries/${deliveries[0]?.id}`]) {
      assert.equal((await probe.call('GET', path, as)).status, 200, path);
    }
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
  'If the path and the header name different workspaces, the service returns 400 before it checks access',
  async (probe) => {
    for (const as of [demo.owner, demo.stranger, demo.productionKey]) {
      const { status } = await probe.call('GET', `/v1/workspaces/${demo.production}`, { as, workspace: demo.globex });
      assert.equal(status, 400);
    }
  },
);

state(
  'access.organizations-token',
  'GET /v1/organizations requires a personal access token',
  async (probe) => {
    const { status, body } = await probe.call('GET', '/v1/organizations', { as: demo.productionKey });
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN']);
  },
  'key',
);

state(
  'access.api-key',
  'An API key has every workspace permission and needs no workspace header; if the header names another workspace, the API returns 403',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/me', { as: demo.productionKey });
    assert.equal(body.workspace.permissions.length, 10);
    for (const [workspace, status] of [
      [demo.production, 200],
      [demo.staging, 403],
    ] as const) {
      for (const path of [
        '/v1/events',
        '/v1/webhooks/endpoints',
        '/v1/webhooks/event-types',
        '/v1/search?q=x',
        '/v1/me',
      ]) {
        assert.equal((await probe.call('GET', path, { as: demo.productionKey, workspace })).status, status, path);
      }
    }
    assert.equal((await probe.call('GET', '/v1/events', { as: demo.productionKey })).status, 200);
  },
);

state(
  'access.token-header',
  'On routes that need a workspace, the API returns 400 for a request with a token but no Service-Workspace-Id, and 403 if the header names a workspace that the user cannot access',
  async (probe) => {
    for (const [method, path] of OPERATIONS) {
      if (/^\/v1\/(workspaces|organizations|me)\b/.test(path)) continue;
      const body = method === 'POST' || method === 'PATCH' ? { body: {} } : {};
      const missing = await probe.call(method, path, { as: demo.owner, ...body });
      assert.deepEqual([missing.status, missing.body.error.code], [400, 'VALIDATION'], `${method} ${path}`);
      for (const workspace of [demo.globex, 'wsp_01DEM0000000000000000000ZZ']) {
        const foreign = await probe.call(method, path, { as: demo.owner, workspace, ...body });
        assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'FORBIDDEN'], `${method} ${path}`);
      }
    }
  },
);

state(
  'access.optional-header',
  '/v1/me, /v1/organizations and /v1/workspaces need no workspace header; if the header names a workspace that the caller cannot access, the API returns 403',
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
  'A caller without access gets the same response whether or not the workspace exists',
  async (probe) => {
    for (const as of [demo.stranger, demo.globexKey]) {
      const ask = async (id: string) => {
        const inPath = await probe.call('GET', `/v1/workspaces/${id}`, { as });
        const inHeader = await probe.call('GET', '/v1/events', { as, workspace: id });
        return [inPath.status, inPath.text, inHeader.status, inHeader.text];
      };
      const responses = await ask(demo.production);
      assert.deepEqual([responses[0], responses[2]], [403, 403]);
      assert.deepEqual(responses, await ask('wsp_01DEM0000000000000000000ZZ'));
    }
  },
);

state(
  'access.override-membership',
  'Only members of the organization can get an override; for anyone else, the control API returns 409',
  async (probe) => {
    const { body } = await probe.call('GET', '/v1/me', { as: demo.stranger });
    const response = await probe.control('PUT', `/workspaces/${demo.production}/members/${body.user.id}`, {
      role: 'Admin',
    });
    assert.deepEqual([response.status, response.body.error.code], [409, 'CONFLICT']);
  },
);
