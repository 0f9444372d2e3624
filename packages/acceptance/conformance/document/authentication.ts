import assert from 'node:assert/strict';
import { demo, type Probe } from '../probe.ts';
import { section } from '../statement.ts';

const { state, statements } = section('document', 'Authentication');
export const authentication = statements;

const workspace = (id: string) => `/v1/workspaces/${id}`;
const rename = async (probe: Probe, as: string, id: string) =>
  (await probe.call('PATCH', workspace(id), { as, body: { name: 'Renamed' } })).status;

state('auth.every-request', 'Every request to /v1/** carries Authorization: Bearer <credential>', async (probe) => {
  for (const path of ['/v1/me', '/v1/workspaces', '/v1/events', workspace(demo.production)]) {
    assert.equal((await probe.call('GET', path)).status, 401, path);
  }
});

state('auth.api-key-scope', 'An API key reads and writes the resources of exactly one workspace', async (probe) => {
  assert.equal(await rename(probe, demo.productionKey, demo.production), 200);
  assert.equal(await rename(probe, demo.productionKey, demo.staging), 403);
});

state('auth.revocation', 'Revoking a credential takes effect immediately', async (probe) => {
  const created = await probe.control('POST', '/credentials', { kind: 'api_key', workspaceId: demo.production });
  const { id, credential } = created.body;
  assert.equal((await probe.call('GET', '/v1/me', { as: credential })).status, 200);
  await probe.control('DELETE', `/credentials/${id}`);
  assert.equal((await probe.call('GET', '/v1/me', { as: credential })).status, 401);
});

state(
  'auth.token-role',
  'A token inherits the user’s role: Owner and Admin read and write, Viewer only reads, beyond it is 403',
  async (probe) => {
    assert.equal(await rename(probe, demo.owner, demo.production), 200);
    assert.equal(await rename(probe, demo.admin, demo.production), 200);
    assert.equal(await rename(probe, demo.viewer, demo.production), 403);
    assert.equal((await probe.call('GET', workspace(demo.production), { as: demo.viewer })).status, 200);
  },
);

state('auth.overrides', 'Access follows workspace-specific overrides, in both directions', async (probe) => {
  assert.equal(await rename(probe, demo.viewer, demo.staging), 200);
  assert.equal(await rename(probe, demo.admin, demo.staging), 403);
});

state(
  'auth.path-membership',
  'On workspace-scoped routes the user must be a member of the workspace in the path, otherwise 403',
  async (probe) => {
    assert.equal((await probe.call('GET', workspace(demo.production), { as: demo.stranger })).status, 403);
    assert.equal((await probe.call('GET', workspace(demo.globex), { as: demo.stranger })).status, 200);
  },
);

state(
  'auth.header-scope',
  'On routes without a workspace id in the path the header Service-Workspace-Id scopes the request',
  async (probe) => {
    await probe.event();
    const count = async (id: string) =>
      (await probe.call('GET', '/v1/events', { as: demo.owner, workspace: id })).body.data.length;
    assert.equal(await count(demo.production), 1);
    assert.equal(await count(demo.staging), 0);
  },
);

state('auth.path-header-match', 'When both the path and the header name a workspace they must match', async (probe) => {
  const ask = async (header: string) =>
    (await probe.call('GET', workspace(demo.production), { as: demo.owner, workspace: header })).status;
  assert.equal(await ask(demo.production), 200);
  assert.equal(await ask(demo.staging), 400);
});

state('auth.list-workspaces', 'GET /v1/workspaces needs a personal access token', async (probe) => {
  assert.equal((await probe.call('GET', '/v1/workspaces', { as: demo.productionKey })).status, 403);
  assert.equal((await probe.call('GET', '/v1/workspaces', { as: demo.owner })).status, 200);
});

for (const [kind, as, limit] of [
  ['API key', demo.productionKey, 300],
  ['personal access token', demo.owner, 120],
] as const) {
  state(`auth.rate-${limit}`, `${kind}: ${limit} requests per minute`, async (probe) => {
    const answers = await Promise.all(Array.from({ length: limit + 20 }, () => probe.call('GET', '/v1/me', { as })));
    assert.equal(answers.filter(({ status }) => status === 200).length, limit);
    assert.equal(answers.filter(({ status }) => status === 429).length, 20);
  });
}
