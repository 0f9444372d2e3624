import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control } = controlOf(() => api);
/** Reads every item of a list, two per page, by following the page URLs. */
async function walk(path: string): Promise<{ id?: string; email?: string }[]> {
  const items: { id?: string; email?: string }[] = [];
  let url: string | null = `/_control/${path}${path.includes('?') ? '&' : '?'}limit=2`;
  while (url) {
    const answer: ApiResponse<{ data: typeof items; nextPageUrl: string | null }> = await api.call('GET', url);
    expect(answer.status).toBe(200);
    items.push(...answer.body.data);
    url = answer.body.nextPageUrl;
  }
  return items;
}

describe('Lists of tenants', () => {
  test('include the workspaces of each organization', async () => {
    const items = await walk('organizations');
    expect(items).toMatchObject([
      { slug: 'globex', workspaces: [{ id: demo.globex.id }], moreWorkspaces: false },
      { slug: 'acme', workspaces: [{ id: demo.production.id, timezone: 'Europe/Berlin' }, { id: demo.staging.id }] },
    ]);
  });

  test('include the role and the overrides of each member', async () => {
    const items = await walk(`organizations/${demo.acmeId}/members`);
    expect(items).toHaveLength(3);
    expect(items).toContainEqual({
      user: { id: expect.any(String), email: 'vera@acme.test', name: 'Vera Viewer' },
      role: 'Viewer',
      overrides: [{ workspaceId: demo.staging.id, role: 'Admin' }],
    });
    expect((await control('organizations/org_none/members')).status).toBe(404);
  });

  test('find users by the beginning of their email', async () => {
    expect((await walk('users')).length).toBeGreaterThanOrEqual(4);
    for (const email of ['zoe.b@x.test', 'zoe.a@x.test', 'zoe.c@x.test', 'zof@x.test']) {
      await control('users', { email, name: 'Z' });
    }
    const found = await walk('users?q=zoe.');
    expect(found.map(({ email }) => email)).toEqual(['zoe.a@x.test', 'zoe.b@x.test', 'zoe.c@x.test']);
    expect(await walk('users?q=nobody')).toEqual([]);
    expect((await control(`users?q=${'x'.repeat(255)}`)).status).toBe(400);
  });

  test('show credentials without their text', async () => {
    const made = await control('credentials', { kind: 'api_key', workspaceId: demo.staging.id, name: 'CI' });
    const items = await walk(`credentials?workspaceId=${demo.staging.id}`);
    expect(items[0]).toEqual({
      id: made.body.id,
      kind: 'api_key',
      name: 'CI',
      test: true,
      createdAt: expect.any(String),
    });
    expect(JSON.stringify(items)).not.toContain('svc_sk_');
    expect(await walk('credentials?userId=usr_01DEM0000000000000000WNER0')).toMatchObject([
      { kind: 'personal_access_token' },
    ]);
    expect((await control('credentials')).status).toBe(400);
    expect((await control('credentials?workspaceId=a&userId=b')).status).toBe(400);
  });
});
