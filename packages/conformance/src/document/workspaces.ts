import assert from 'node:assert/strict';
import type { ApiResponse, Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('document', 'Workspaces, organizations and identity');
export const workspaces = statements;

const key = { as: demo.productionKey };
const path = `/v1/workspaces/${demo.production}`;
const patch = (probe: Probe, body: unknown) => probe.call('PATCH', path, { ...key, body });
const isRefused = ({ status, body }: ApiResponse, what: string) =>
  assert.deepEqual([status, body.error?.code], [400, 'VALIDATION'], what);

state(
  'workspaces.list',
  'With a personal access token, GET /v1/workspaces lists workspace objects on a single page',
  async (probe) => {
    const { status, body } = await probe.call('GET', '/v1/workspaces', { as: demo.owner });
    assert.equal(status, 200);
    assert.deepEqual([body.data.length, body.nextPageUrl, body.previousPageUrl], [2, null, null]);
    for (const id of [demo.production, demo.staging]) {
      const { workspace } = (await probe.call('GET', `/v1/workspaces/${id}`, { as: demo.owner })).body;
      assert.deepEqual(
        body.data.find((listed: { id: string }) => listed.id === id),
        workspace,
      );
    }
    assert.equal((await probe.call('GET', '/v1/workspaces', key)).status, 403);
  },
);

state(
  'workspaces.list-across',
  'With a token, the API lists all workspaces and organizations of the token’s user, and no others',
  async (probe) => {
    const ids = async (list: string) =>
      (await probe.call('GET', list, { as: demo.stranger })).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids('/v1/workspaces'), [demo.globex]);
    const member = `/organizations/${demo.acme}/members/${userOf(demo.stranger)}`;
    await probe.control('PUT', member, { role: 'Viewer' });
    assert.deepEqual((await ids('/v1/workspaces')).sort(), [demo.globex, demo.production, demo.staging].sort());
    assert.equal((await ids('/v1/organizations')).length, 2);
    await probe.control('PUT', member, { role: null });
    assert.deepEqual(await ids('/v1/workspaces'), [demo.globex]);
    assert.equal((await ids('/v1/organizations')).length, 1);
  },
);

state(
  'workspaces.retrieve',
  'GET /v1/workspaces/{workspaceId} returns { workspace }',
  async (probe) => {
    const { status, body } = await probe.call('GET', path, key);
    assert.deepEqual([status, Object.keys(body), body.workspace.id], [200, ['workspace'], demo.production]);
  },
  'key',
);

state(
  'workspaces.update',
  'PATCH returns { workspace: { id, name, slug, timezone, weekStartsOn } }; every field is optional, and omitted fields stay unchanged',
  async (probe) => {
    const expected = {
      id: demo.production,
      name: 'Production',
      slug: 'production',
      timezone: 'Europe/Berlin' as string | null,
      weekStartsOn: 1 as number | null,
    };
    for (const change of [
      {},
      { name: 'New' },
      { slug: 'new' },
      { timezone: 'Asia/Tokyo' },
      { weekStartsOn: 0 },
      { timezone: null, weekStartsOn: null },
    ]) {
      Object.assign(expected, change);
      const { status, body } = await patch(probe, change);
      assert.deepEqual([status, body], [200, { workspace: expected }]);
      const { createdAt, updatedAt, organizationId, ...shown } = (await probe.call('GET', path, key)).body.workspace;
      assert.deepEqual(shown, expected);
    }
  },
);

state(
  'workspaces.bounds',
  'name and slug have 1 to 120 characters, and timezone has 1 to 64 characters; weekStartsOn is from 0 to 6',
  async (probe) => {
    for (const body of [
      { name: 'n' },
      { name: 'n'.repeat(120) },
      { slug: 's' },
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
      { name: null },
      { name: 7 },
      { slug: '' },
      { slug: 's'.repeat(121) },
      { slug: null },
      { timezone: '' },
      { timezone: 'z'.repeat(65) },
      { timezone: 0 },
      { weekStartsOn: -1 },
      { weekStartsOn: 7 },
      { weekStartsOn: 1.5 },
      { weekStartsOn: '1' },
    ]) {
      isRefused(await patch(probe, body), JSON.stringify(body));
    }
  },
  'key',
);

state(
  'workspaces.nulls',
  'Setting timezone to null resets it to UTC, and setting weekStartsOn to null resets it to Monday',
  async (probe) => {
    const { body } = await patch(probe, { timezone: null, weekStartsOn: null });
    assert.deepEqual([body.workspace.timezone, body.workspace.weekStartsOn], [null, null]);
  },
  'key',
);

state(
  'workspaces.slug-unique',
  'A slug is unique within its organization; another organization can use the same slug',
  async (probe) => {
    const { status, body } = await patch(probe, { slug: 'staging' });
    assert.deepEqual([status, body.error.code], [409, 'CONFLICT']);
    assert.equal((await patch(probe, { slug: 'main' })).status, 200);
    const globex = await probe.call('GET', `/v1/workspaces/${demo.globex}`, { as: demo.globexKey });
    assert.equal(globex.body.workspace.slug, 'main');
  },
);

state(
  'organizations.list',
  'GET /v1/organizations lists the organizations that the caller belongs to, with the caller’s role, on a single page',
  async (probe) => {
    for (const [as, id, role] of [
      [demo.owner, demo.acme, 'Owner'],
      [demo.admin, demo.acme, 'Admin'],
      [demo.viewer, demo.acme, 'Viewer'],
      [demo.stranger, demo.globexOrganization, 'Owner'],
    ] as const) {
      const { body } = await probe.call('GET', '/v1/organizations', { as });
      const shown = body.data.map((organization: { id: string; role: string }) => [organization.id, organization.role]);
      assert.deepEqual([shown, body.nextPageUrl, body.previousPageUrl], [[[id, role]], null, null]);
    }
  },
);

state('me.identity', 'GET /v1/me returns the caller’s identity', async (probe) => {
  const { status, body } = await probe.call('GET', '/v1/me', { as: demo.owner });
  assert.equal(status, 200);
  // The document does not list the fields of `/v1/me`, so only check that two users get different responses.
  assert.notDeepEqual(body, (await probe.call('GET', '/v1/me', { as: demo.admin })).body);
});

state(
  'search.header',
  'With a personal access token, GET /v1/search requires Service-Workspace-Id',
  async (probe) => {
    const { status, body } = await probe.call('GET', '/v1/search?q=x', { as: demo.owner });
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION']);
    assert.equal(
      (await probe.call('GET', '/v1/search?q=x', { as: demo.owner, workspace: demo.production })).status,
      200,
    );
    assert.equal((await probe.call('GET', '/v1/search?q=x', key)).status, 200);
  },
  'token',
);
