import assert from 'node:assert/strict';
import { OPERATIONS } from '../operations.ts';
import type { Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo, userOf } from '../tenants.ts';

const { state, statements } = section('document', 'Authentication');
export const authentication = statements;

const workspace = (id: string) => `/v1/workspaces/${id}`;
const rename = async (probe: Probe, as: string, id: string) =>
  (await probe.call('PATCH', workspace(id), { as, body: { name: 'Renamed' } })).status;

state(
  'auth.every-request',
  'Every operation requires the header Authorization: Bearer <credential>, and accepts the credential nowhere else',
  async (probe) => {
    for (const [method, path] of OPERATIONS) {
      const { status, body } = await probe.call(method, path);
      assert.deepEqual([status, body.error.code], [401, 'UNAUTHENTICATED'], `${method} ${path}`);
    }
    const elsewhere = await probe.call('GET', `/v1/me?token=${demo.owner}`, { headers: { 'x-api-key': demo.owner } });
    assert.equal(elsewhere.status, 401);
  },
  'token',
);

state(
  'auth.prefixes',
  'The prefix shows the kind of credential: svc_sk_ and svc_sk_test_ for API keys, svc_pat_ and svc_pat_test_ for tokens',
  async (probe) => {
    const userId = userOf(demo.owner);
    for (const [kind, owner, prefix] of [
      ['api_key', { workspaceId: demo.production }, 'svc_sk_'],
      ['personal_access_token', { userId }, 'svc_pat_'],
    ] as const) {
      for (const test of [true, false]) {
        const { credential } = (await probe.control('POST', '/credentials', { kind, ...owner, test })).body;
        assert.match(credential, new RegExp(`^${prefix}${test ? 'test_' : '(?!test_)'}[\\w-]+$`));
        const { body } = await probe.call('GET', '/v1/me', { as: credential });
        assert.deepEqual([body.credential.kind, body.credential.test], [kind, test]);
      }
    }
  },
);

state('auth.api-key-scope', 'An API key can read and write the resources of exactly one workspace', async (probe) => {
  const { id } = await probe.endpoint('https://receiver.test/');
  for (const [as, other] of [
    [demo.stagingKey, demo.production],
    [demo.globexKey, demo.production],
    [demo.productionKey, demo.staging],
  ] as const) {
    assert.equal(await rename(probe, as, other), 403);
    assert.equal((await probe.call('GET', workspace(other), { as })).status, 403);
  }
  assert.equal(await rename(probe, demo.productionKey, demo.production), 200);
  assert.equal((await probe.call('GET', `/v1/webhooks/endpoints/${id}`, { as: demo.productionKey })).status, 200);
  assert.equal((await probe.call('GET', `/v1/webhooks/endpoints/${id}`, { as: demo.stagingKey })).status, 404);
});

state('auth.revocation', 'Revoking a credential takes effect immediately, on every server', async (probe) => {
  for (const owner of [
    { kind: 'api_key', workspaceId: demo.production },
    { kind: 'personal_access_token', userId: userOf(demo.owner) },
  ]) {
    const { id, credential } = (await probe.control('POST', '/credentials', owner)).body;
    const statuses = async () => {
      const found = new Set<number>();
      for (let server = 0; server < 3; server++) {
        found.add((await probe.call('GET', '/v1/me', { as: credential })).status);
      }
      return [...found];
    };
    assert.deepEqual(await statuses(), [200]);
    await probe.control('DELETE', `/credentials/${id}`);
    assert.deepEqual(await statuses(), [401]);
  }
});

state(
  'auth.token-role',
  'A token has the user’s role: Owners and Admins can read and write, Viewers can only read; for every other action, the API returns 403',
  async (probe) => {
    for (const [as, written] of [
      [demo.owner, 200],
      [demo.admin, 200],
      [demo.viewer, 403],
    ] as const) {
      assert.equal(await rename(probe, as, demo.production), written);
      assert.equal((await probe.call('GET', workspace(demo.production), { as })).status, 200);
    }
  },
);

state(
  'auth.path-membership',
  'On workspace-scoped routes, the user must be a member of the workspace in the path; otherwise the API returns 403',
  async (probe) => {
    for (const [as, id, status] of [
      [demo.stranger, demo.production, 403],
      [demo.stranger, demo.globex, 200],
      [demo.owner, demo.globex, 403],
      [demo.admin, demo.staging, 403],
    ] as const) {
      assert.equal((await probe.call('GET', workspace(id), { as })).status, status);
      assert.equal(await rename(probe, as, id), status);
    }
  },
);

state(
  'auth.header-scope',
  'On routes without a workspace id in the path, the header Service-Workspace-Id names the workspace of the request',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    await probe.event();
    for (const path of ['/v1/events', '/v1/webhooks/endpoints', '/v1/webhooks/deliveries', '/v1/search?q=hook']) {
      const count = async (id: string) =>
        (await probe.call('GET', path, { as: demo.owner, workspace: id })).body.data.length;
      assert.deepEqual([await count(demo.production), await count(demo.staging)], [1, 0], path);
    }
  },
);

state('auth.path-header-match', 'The path and the header must not name different workspaces', async (probe) => {
  for (const as of [demo.owner, demo.productionKey]) {
    const ask = (header: string) => probe.call('GET', workspace(demo.production), { as, workspace: header });
    assert.equal((await ask(demo.production)).status, 200);
    const { status, body } = await ask(demo.staging);
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION']);
  }
});

state(
  'auth.list-workspaces',
  'GET /v1/workspaces requires a personal access token',
  async (probe) => {
    const { status, body } = await probe.call('GET', '/v1/workspaces', { as: demo.productionKey });
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN']);
    assert.equal((await probe.call('GET', '/v1/workspaces', { as: demo.owner })).status, 200);
  },
  'token',
);

for (const [kind, as, limit] of [
  ['an API key', demo.productionKey, 300],
  ['a personal access token', demo.owner, 120],
] as const) {
  state(`auth.rate-${limit}`, `The rate limit of ${kind} is ${limit} requests per minute`, async (probe) => {
    const responses = await Promise.all(Array.from({ length: limit + 20 }, () => probe.call('GET', '/v1/me', { as })));
    assert.equal(responses.filter(({ status }) => status === 200).length, limit);
    assert.equal(responses.filter(({ status }) => status === 429).length, 20);
  });
}
