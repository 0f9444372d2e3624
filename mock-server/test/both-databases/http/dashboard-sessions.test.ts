import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failure, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const OWNER_ID = 'usr_01DEM0000000000000000WNER0';
const VIEWER_ID = 'usr_01DEM000000000000000V1EWER';

const ask = (body: unknown, on = api, credential?: string) =>
  on.call('POST', '/_control/sessions', { body, ...(credential !== undefined && { credential }) });

async function session(subject: object, on = api): Promise<string> {
  const { status, body } = await ask({ ...subject, baseUrl: on.server.url }, on);
  expect(status).toBe(201);
  return body.credential;
}

describe('A session of the dashboard', () => {
  test('acts as an API key of a workspace, with every permission there', async () => {
    const credential = await session({ workspaceId: demo.production.id });
    const me = await api.call('GET', '/v1/me', { credential });
    expect(me.body).toMatchObject({
      credential: { kind: 'api_key' },
      user: null,
      workspace: { id: demo.production.id },
    });
    const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
    expect((await api.call('POST', '/v1/webhooks/endpoints', { credential, body })).status).toBe(201);
    expect((await api.call('GET', '/v1/workspaces', { credential })).status).toBe(403);
    const elsewhere = await api.call('GET', `/v1/workspaces/${demo.staging.id}`, { credential });
    expect(elsewhere.status).toBe(403);
  });

  test("acts as a user, with the user's role in each workspace and no more", async () => {
    const credential = await session({ userId: VIEWER_ID });
    const me = await api.call('GET', '/v1/me', { credential });
    expect(me.body).toMatchObject({ credential: { kind: 'personal_access_token' }, user: { id: VIEWER_ID } });
    const rename = (workspaceId: string) =>
      api.call('PATCH', `/v1/workspaces/${workspaceId}`, { credential, body: { name: 'Renamed' } });
    expect((await rename(demo.production.id)).status).toBe(403);
    expect((await rename(demo.staging.id)).status).toBe(200);
    expect((await rename(demo.globex.id)).status).toBe(403);
  });

  test('lasts 15 minutes of real time, even if the virtual clock moves', async () => {
    const before = Date.now();
    const { body } = await ask({ userId: OWNER_ID, baseUrl: api.server.url });
    expect(Date.parse(body.expiresAt) - before).toBeGreaterThan(14.9 * 60_000);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    await api.call('POST', '/_control/clock', { body: { advance: '3d' } });
    expect((await api.call('GET', '/v1/me', { credential: body.credential })).status).toBe(200);
  });

  test('was created when the page requested it', async () => {
    const before = Date.now();
    const credential = await session({ userId: OWNER_ID });
    const { createdAt } = (await api.call('GET', '/v1/me', { credential })).body.credential;
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
  });

  test('ends with a reset, even for a request whose body is still arriving', async () => {
    await using own = await startApi();
    const credential = await session({ workspaceId: demo.production.id }, own);
    const arrived = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const text = JSON.stringify({ url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] });
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.from(text.slice(0, 10)));
        arrived.resolve();
        await rest.promise;
        stream.enqueue(Buffer.from(text.slice(10)));
        stream.close();
      },
    });
    const sent = fetch(`${own.server.url}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    await arrived.promise;
    // The server has identified the caller once another request, sent later, has its response.
    await vi.waitFor(async () => expect((await own.call('GET', '/v1/me', { credential })).status).toBe(200));
    expect((await own.call('POST', '/_control/reset', { body: {} })).status).toBe(200);
    rest.resolve();
    expect((await sent).status).toBe(401);
    const { data } = (await own.call('GET', '/v1/webhooks/endpoints', { credential: demo.production.key })).body;
    expect(data).toEqual([]);
  });

  test('has no rate limit, is not in the request log, and meets no faults', async () => {
    await using own = await startApi();
    const credential = await session({ workspaceId: demo.production.id }, own);
    const fault = { target: 'api', effect: { status: 503 }, probability: 1 };
    await own.call('POST', '/_control/faults', { body: fault });
    const answer = await own.call('GET', '/v1/me', { credential });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('RateLimit')).toBeNull();
    expect((await own.call('GET', '/_control/requests')).body.data).toEqual([]);
    const other = await own.call('GET', '/v1/me', { credential: demo.production.key });
    expect(other.status).toBe(503);
    expect((await own.call('GET', '/_control/requests')).body.data).toHaveLength(1);
  });

  test('gets URLs that begin with the base URL that it asked for', async () => {
    await using own = await startApi();
    const baseUrl = `http://localhost:${own.server.port}`;
    const { body } = await ask({ workspaceId: demo.production.id, baseUrl }, own);
    const events = Array.from({ length: 2 }, () => ({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }));
    await own.call('POST', '/_control/events', { body: { events } });
    const list = await own.call('GET', '/v1/events?limit=1', { credential: body.credential });
    expect(list.body.nextPageUrl).toMatch(new RegExp(`^${baseUrl}/v1/events\\?`));
    const plain = await own.call('GET', '/v1/events?limit=1', { credential: demo.production.key });
    expect(plain.body.nextPageUrl).toMatch(new RegExp(`^${own.server.url}/v1/events\\?`));
  });

  test('ends with a reset', async () => {
    await using own = await startApi();
    const credential = await session({ workspaceId: demo.production.id }, own);
    await own.call('POST', '/_control/reset', { body: {} });
    const refused = await own.call('GET', '/v1/me', { credential });
    expect(refused).toMatchObject({ status: 401, body: failure('UNAUTHENTICATED', expect.any(String)) });
  });

  test('cannot be forged, changed or used on another server', async () => {
    const credential = await session({ userId: OWNER_ID });
    const changed = credential.slice(0, -2) + (credential.endsWith('A') ? 'BB' : 'AA');
    for (const text of [changed, 'svc_ses_', 'svc_ses_e30', `${credential.slice(0, 60)}`, `${credential}=`]) {
      expect((await api.call('GET', '/v1/me', { credential: text })).status).toBe(401);
    }
    // Another database has another reset or another key.
    await using other = await startApi({ adminToken: `other-${TEST_ADMIN_TOKEN}` });
    expect((await other.call('GET', '/v1/me', { credential })).status).toBe(401);
  });

  test.each([
    [{}, 400],
    [{ userId: OWNER_ID }, 400],
    [{ userId: OWNER_ID, workspaceId: demo.production.id, baseUrl: 'SELF' }, 400],
    [{ userId: OWNER_ID, baseUrl: 'https://attacker.test' }, 400],
    [{ userId: OWNER_ID, baseUrl: 'SELF?x' }, 400],
    [{ userId: OWNER_ID, baseUrl: 'nothing' }, 400],
    [{ userId: 'usr_unknown', baseUrl: 'SELF' }, 404],
    [{ workspaceId: 'wsp_unknown', baseUrl: 'SELF' }, 404],
    [{ admin: true }, 400],
  ])('is not issued for %j', async (body, status) => {
    const text = JSON.stringify(body).replace('SELF', api.server.url);
    expect((await ask(JSON.parse(text))).status).toBe(status);
  });
});

describe('An admin session', () => {
  test('is issued for the admin token, and opens the control API only', async () => {
    await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    expect((await ask({ admin: true }, guarded)).status).toBe(401);
    const { status, body } = await ask({ admin: true }, guarded, TEST_ADMIN_TOKEN);
    expect(status).toBe(201);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(7.9 * 3_600_000);
    const { credential } = body;
    expect((await guarded.call('GET', '/_control/clock', { credential })).status).toBe(200);
    expect((await guarded.call('GET', '/v1/me', { credential })).status).toBe(401);
    expect((await guarded.call('GET', '/metrics', { credential })).status).toBe(401);
    // Otherwise a session could be renewed forever.
    expect((await ask({ admin: true }, guarded, credential)).status).toBe(401);
  });

  test("is not a user's session", async () => {
    await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    const { body } = await ask({ userId: OWNER_ID, baseUrl: guarded.server.url }, guarded, TEST_ADMIN_TOKEN);
    expect((await guarded.call('GET', '/v1/me', { credential: body.credential })).status).toBe(200);
    expect((await guarded.call('GET', '/_control/clock', { credential: body.credential })).status).toBe(401);
  });
});

describe('The control API checks which site a browser request comes from', () => {
  const status = async (method: string, site: string) =>
    (
      await api.call(method, '/_control/clock', {
        headers: { 'sec-fetch-site': site },
        ...(method === 'POST' && { body: { advance: '0s' } }),
      })
    ).status;

  test('and answers its own pages', async () => {
    expect(await status('GET', 'same-origin')).toBe(200);
    expect(await status('POST', 'same-origin')).toBe(200);
    expect(await status('GET', 'none')).toBe(200);
  });

  test('and refuses a load ahead of time, which a page of any site can cause', async () => {
    const headers = { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' };
    expect((await api.call('GET', '/_control/export', { headers })).status).toBe(403);
  });

  test('and refuses other sites, other ports, and writes that come from no page', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect(await status('GET', site)).toBe(403);
      expect(await status('POST', site)).toBe(403);
    }
    expect(await status('POST', 'none')).toBe(403);
  });
});
