import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const unknownWorkspace = 'wsp_01DEM0000000000000000000ZZ';

describe('Authentication', () => {
  test.each([
    ['missing', {}],
    ['of another scheme', { authorization: 'Basic c3ZjOg==' }],
    ['of another prefix', { authorization: 'Bearer sk_live_1' }],
    ['unknown', { authorization: 'Bearer svc_sk_test_unknown' }],
    ['a known one with an extra letter', { authorization: `Bearer ${demo.production.key}x` }],
  ])('returns 401 for a credential that is %s', async (_what, headers) => {
    const answer = await api.call('GET', '/v1/me', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toEqual(failure('UNAUTHENTICATED', expect.any(String)));
  });

  test('an API key reads its own workspace and no other', async () => {
    const own = await api.call('GET', `/v1/workspaces/${demo.production.id}`, { credential: demo.production.key });
    expect(own.status).toBe(200);
    const other = await api.call('GET', `/v1/workspaces/${demo.staging.id}`, { credential: demo.production.key });
    const unknown = await api.call('GET', `/v1/workspaces/${unknownWorkspace}`, { credential: demo.production.key });
    expect([other.status, unknown.status]).toEqual([403, 403]);
    expect(other.body).toEqual(unknown.body);
  });

  test('an API key may name its own workspace in the header, but no other', async () => {
    const path = '/v1/webhooks/endpoints';
    const own = await api.call('GET', path, { credential: demo.production.key, workspaceId: demo.production.id });
    const other = await api.call('GET', path, { credential: demo.production.key, workspaceId: demo.staging.id });
    expect([own.status, other.status]).toEqual([200, 403]);
  });

  test('an API key cannot list across workspaces', async () => {
    for (const path of ['/v1/workspaces', '/v1/organizations']) {
      const answer = await api.call('GET', path, { credential: demo.production.key });
      expect(answer).toMatchObject({ status: 403, body: failure('FORBIDDEN', expect.any(String)) });
    }
  });

  test('returns 400 to every caller if path and header name different workspaces', async () => {
    for (const credential of [demo.owner, demo.globexOwner, demo.production.key]) {
      const answer = await api.call('GET', `/v1/workspaces/${demo.production.id}`, {
        credential,
        workspaceId: demo.staging.id,
      });
      expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
    }
  });

  test('a token needs the header on routes without a workspace in their path', async () => {
    const missing = await api.call('GET', '/v1/events', { credential: demo.owner });
    expect(missing).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
    const named = await api.call('GET', '/v1/events', { credential: demo.owner, workspaceId: demo.production.id });
    expect(named.status).toBe(200);
  });

  test('a stranger cannot find out whether a workspace exists', async () => {
    const existing = await api.call('GET', '/v1/events', {
      credential: demo.globexOwner,
      workspaceId: demo.staging.id,
    });
    const unknown = await api.call('GET', '/v1/events', {
      credential: demo.globexOwner,
      workspaceId: unknownWorkspace,
    });
    expect(existing.status).toBe(403);
    expect([existing.status, existing.body]).toEqual([unknown.status, unknown.body]);
  });
});

describe('Roles', () => {
  const rename = (credential: string, workspaceId: string) =>
    api.call('PATCH', `/v1/workspaces/${workspaceId}`, { credential, body: { name: 'Renamed' } });

  test.each([
    ['Owner', demo.owner, demo.production.id, 200],
    ['Admin', demo.admin, demo.production.id, 200],
    ['Viewer', demo.viewer, demo.production.id, 403],
    ['Viewer overridden to Admin', demo.viewer, demo.staging.id, 200],
    ['Admin overridden to None', demo.admin, demo.staging.id, 403],
    ['stranger', demo.globexOwner, demo.production.id, 403],
  ])('%s changes a workspace: %s', async (_role, credential, workspaceId, status) => {
    expect((await rename(credential, workspaceId)).status).toBe(status);
  });

  test('a Viewer can read endpoints, deliveries and events, but not change them', async () => {
    const as = { credential: demo.viewer, workspaceId: demo.production.id };
    for (const path of [
      '/v1/webhooks/endpoints',
      '/v1/webhooks/deliveries',
      '/v1/events',
      '/v1/webhooks/event-types',
    ]) {
      expect((await api.call('GET', path, as)).status, path).toBe(200);
    }
    const created = await api.call('POST', '/v1/webhooks/endpoints', { ...as, body: {} });
    expect(created.status).toBe(403);
  });

  test('returns 403 without the required role, even if the body is invalid', async () => {
    const answer = await api.call('PATCH', `/v1/workspaces/${demo.production.id}`, {
      credential: demo.viewer,
      headers: { 'content-type': 'application/json' },
      rawBody: '{broken',
    });
    expect(answer.status).toBe(403);
  });
});

describe('GET /v1/organizations and GET /v1/workspaces', () => {
  test('list what the user belongs to, on a single page', async () => {
    const organizations = await api.call('GET', '/v1/organizations', { credential: demo.viewer });
    expect(organizations.body).toEqual({
      data: [
        {
          id: demo.acmeId,
          slug: 'acme',
          name: 'Acme',
          logo: null,
          role: 'Viewer',
          permissions: ['org:settings:read', 'org:members:read', 'org:billing:read', 'org:workspaces:read'],
        },
      ],
      nextPageUrl: null,
      previousPageUrl: null,
    });
    const workspaces = await api.call('GET', '/v1/workspaces', { credential: demo.admin });
    expect(workspaces.body.data.map((workspace: { id: string }) => workspace.id)).toEqual([demo.production.id]);
  });

  test('expand=workspaces embeds them with the resolved role', async () => {
    const answer = await api.call('GET', '/v1/organizations?expand=%20workspaces,,workspaces', {
      credential: demo.viewer,
    });
    const [acme] = answer.body.data;
    const roles = acme.workspaces.map(({ id, role, implicit }: Record<string, unknown>) => ({ id, role, implicit }));
    expect(roles).toContainEqual({ id: demo.production.id, role: 'Viewer', implicit: true });
    expect(roles).toContainEqual({ id: demo.staging.id, role: 'Admin', implicit: false });
  });

  test.each([
    ['members', 'Unknown expand field: "members". Available: workspaces.'],
    ['workspaces.members', 'Unknown expand field: "workspaces.members". Available: workspaces.'],
    ['workspaces,Workspaces', 'Unknown expand field: "Workspaces". Available: workspaces.'],
  ])('expand=%s is refused with the exact message', async (expand, message) => {
    const answer = await api.call('GET', `/v1/organizations?expand=${expand}`, { credential: demo.owner });
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', message) });
  });
});

describe('GET /v1/me', () => {
  test('returns the workspace of an API key, and no user', async () => {
    const { body } = await api.call('GET', '/v1/me', { credential: demo.staging.key });
    expect(body).toMatchObject({
      credential: { kind: 'api_key', test: true },
      user: null,
      workspace: { id: demo.staging.id, organizationId: demo.acmeId, role: null },
    });
    expect(body.workspace.permissions).toHaveLength(10);
  });

  test('returns the user of a token, and the workspace that the header names', async () => {
    const bare = await api.call('GET', '/v1/me', { credential: demo.viewer });
    expect(bare.body).toMatchObject({ user: { email: 'vera@acme.test' }, workspace: null });
    const named = await api.call('GET', '/v1/me', { credential: demo.viewer, workspaceId: demo.staging.id });
    expect(named.body.workspace).toMatchObject({ id: demo.staging.id, role: 'Admin' });
    const denied = await api.call('GET', '/v1/me', { credential: demo.admin, workspaceId: demo.staging.id });
    expect(denied.status).toBe(403);
  });
});
