import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const control = (method: string, path: string, body?: unknown) =>
  api.call(method, `/_control/${path}`, body === undefined ? {} : { body });

/** Creates a user who owns a new organization with one workspace, and a token for the user. */
async function newTenant() {
  const { user } = (await control('POST', 'users', { email: `${crypto.randomUUID()}@x.test`, name: 'Grace' })).body;
  const { organization } = (await control('POST', 'organizations', { name: 'Grace & Söhne' })).body;
  const { workspace } = (await control('POST', 'workspaces', { organizationId: organization.id, name: 'Main' })).body;
  await control('PUT', `organizations/${organization.id}/members/${user.id}`, { role: 'Owner' });
  const issued = await control('POST', 'credentials', { kind: 'personal_access_token', userId: user.id });
  return { user, organization, workspace, token: issued.body };
}

const atOnce = <Result>(call: () => Promise<Result>) => Promise.all(Array.from({ length: 8 }, call));

const statusFor = async (credential: string, workspaceId: string) =>
  (await api.call('GET', `/v1/workspaces/${workspaceId}`, { credential })).status;

describe('A tenant built over the control API', () => {
  test('is visible in the API at once', async () => {
    const { user, organization, workspace, token } = await newTenant();
    expect(user).toEqual({ id: expect.stringMatching(/^usr_/), email: user.email, name: 'Grace' });
    expect(organization).toEqual({
      id: expect.stringMatching(/^org_/),
      slug: expect.stringMatching(/^grace-sohne/),
      name: 'Grace & Söhne',
      logo: null,
    });
    expect(token).toEqual({ id: expect.stringMatching(/^pat_/), credential: expect.stringMatching(/^svc_pat_test_/) });
    const { credential } = token;
    const listed = await api.call('GET', '/v1/organizations?expand=workspaces', { credential });
    expect(listed.body.data).toMatchObject([
      { id: organization.id, role: 'Owner', workspaces: [{ id: workspace.id }] },
    ]);
    const shown = await api.call('GET', `/v1/workspaces/${workspace.id}`, { credential });
    expect(shown.body).toEqual({ workspace });
    const me = await api.call('GET', '/v1/me', { credential });
    expect(me.body.user).toEqual(user);
  });

  test('gets its own slug if its name is taken; asking for a slug or email that is taken returns 409', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    expect(one.organization.slug).not.toBe(two.organization.slug);
    const taken = { name: 'X', slug: one.organization.slug };
    expect(await control('POST', 'organizations', taken)).toMatchObject({
      status: 409,
      body: failure('CONFLICT', expect.any(String)),
    });
    const workspace = { organizationId: one.organization.id, name: 'X', slug: one.workspace.slug };
    expect((await control('POST', 'workspaces', workspace)).status).toBe(409);
    expect((await control('POST', 'workspaces', { ...workspace, organizationId: two.organization.id })).status).toBe(
      409,
    );
    expect((await control('POST', 'workspaces', { ...workspace, slug: 'other' })).status).toBe(201);
    expect((await control('POST', 'users', { email: one.user.email, name: 'X' })).status).toBe(409);
  });

  test('gets its own slug even if several tenants with the same name are created at once', async () => {
    const organizations = await atOnce(() => control('POST', 'organizations', { name: 'Twin' }));
    expect(organizations.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(organizations.map(({ body }) => body.organization.slug)).size).toBe(8);
    const { id: organizationId } = organizations[0]?.body.organization ?? {};
    const workspaces = await atOnce(() => control('POST', 'workspaces', { organizationId, name: 'Twin' }));
    expect(workspaces.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const given = await atOnce(() => control('POST', 'organizations', { name: 'Twin', slug: 'one-of-eight' }));
    expect(given.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const refused = given.find(({ status }) => status === 409);
    expect(refused?.body).toEqual(failure('CONFLICT', 'The slug "one-of-eight" is taken.'));
  });

  test.each([
    ['organizations', {}],
    ['organizations', { name: '' }],
    ['organizations', { name: 'X', slug: 'Not a slug' }],
    ['organizations', { name: 'X', logo: 'no-url' }],
    ['organizations', { name: 'X', nmae: 'X' }],
    ['workspaces', { name: 'X' }],
    ['workspaces', { organizationId: demo.acmeId, name: 'X', timezone: 'Mars/Olympus' }],
    ['workspaces', { organizationId: demo.acmeId, name: 'X', timezone: '+05:30' }],
    ['workspaces', { organizationId: demo.acmeId, name: 'X', weekStartsOn: 7 }],
    ['users', { email: 'no email', name: 'X' }],
    ['credentials', { kind: 'api_key' }],
    ['credentials', { kind: 'password', userId: 'usr_1' }],
    ['credentials', { kind: 'api_key', userId: 'usr_1' }],
  ])('POST %s refuses %j', async (path, body) => {
    expect(await control('POST', path, body)).toMatchObject({
      status: 400,
      body: failure('VALIDATION', expect.any(String)),
    });
  });

  test.each([
    ['POST', 'workspaces', { organizationId: 'org_none', name: 'X' }],
    ['POST', 'credentials', { kind: 'api_key', workspaceId: 'wsp_none' }],
    ['POST', 'credentials', { kind: 'personal_access_token', userId: 'usr_none' }],
    ['PUT', 'organizations/org_none/members/usr_none', { role: 'Owner' }],
    ['PUT', `organizations/${demo.acmeId}/members/usr_none`, { role: 'Owner' }],
    ['PUT', `workspaces/${demo.production.id}/members/usr_none`, { role: 'None' }],
    ['DELETE', 'credentials/key_none', undefined],
  ])('%s %s returns 404 if a resource does not exist', async (method, path, body) => {
    expect((await control(method, path, body)).status).toBe(404);
  });
});

describe('Members and overrides', () => {
  test('roles apply at once, null removes them, and removing a member also removes the overrides', async () => {
    const { user, organization, workspace, token } = await newTenant();
    const member = (role: string | null) =>
      control('PUT', `organizations/${organization.id}/members/${user.id}`, { role });
    const override = (role: string | null) => control('PUT', `workspaces/${workspace.id}/members/${user.id}`, { role });
    const rename = async () =>
      (await api.call('PATCH', `/v1/workspaces/${workspace.id}`, { credential: token.credential, body: {} })).status;

    expect(await override('Viewer')).toMatchObject({ status: 200, body: { ok: true } });
    expect(await rename()).toBe(403);
    await override(null);
    expect(await rename()).toBe(200);
    await override('None');
    expect(await statusFor(token.credential, workspace.id)).toBe(403);
    expect(await member(null)).toMatchObject({ status: 200, body: { ok: true } });
    await member('Viewer');
    // The override was removed with the membership, so the new role applies.
    expect(await statusFor(token.credential, workspace.id)).toBe(200);
    expect(await rename()).toBe(403);
    expect((await member('Boss')).status).toBe(400);
    expect((await override('')).status).toBe(400);
  });

  test('an override for a user who is not a member returns 409', async () => {
    const { user } = await newTenant();
    const answer = await control('PUT', `workspaces/${demo.production.id}/members/${user.id}`, { role: 'Admin' });
    expect(answer).toMatchObject({ status: 409, body: failure('CONFLICT', expect.any(String)) });
  });
});

describe('Credentials', () => {
  test('an API key works in its workspace until it is revoked', async () => {
    const { workspace } = await newTenant();
    const issued = await control('POST', 'credentials', {
      kind: 'api_key',
      workspaceId: workspace.id,
      test: false,
      name: 'CI',
    });
    expect(issued).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^key_/), credential: expect.stringMatching(/^svc_sk_(?!test_)/) },
    });
    const { id, credential } = issued.body;
    expect(await statusFor(credential, workspace.id)).toBe(200);
    expect(await control('DELETE', `credentials/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await statusFor(credential, workspace.id)).toBe(401);
    expect((await control('DELETE', `credentials/${id}`)).status).toBe(404);
  });
});
