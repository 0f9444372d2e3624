import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const read = (path: string) => api.call('GET', `/_control/${path}`);
const control = (path: string, body: unknown) => api.call('POST', `/_control/${path}`, { body });
const key = { credential: demo.production.key };

async function addEndpoint(url: string, subscribedEvents = ['lifecycle.*']) {
  return (await api.call('POST', '/v1/webhooks/endpoints', { ...key, body: { url, subscribedEvents } })).body;
}
const cause = async () =>
  (await control('events', { workspaceId: demo.production.id, type: 'lifecycle.evaluated' })).body;

/** Reads every item of a list, two per page, by following the page URLs. */
async function walk(path: string): Promise<{ id?: string; email?: string }[]> {
  const items: { id?: string; email?: string }[] = [];
  let url: string | null = `/_control/${path}${path.includes('?') ? '&' : '?'}limit=2`;
  while (url) {
    const answer: Answer<{ data: typeof items; nextPageUrl: string | null }> = await api.call('GET', url);
    expect(answer.status).toBe(200);
    items.push(...answer.body.data);
    url = answer.body.nextPageUrl;
  }
  return items;
}

describe('GET /_control/info', () => {
  test('describes the server, and lists the credentials of its seed that are still valid', async () => {
    const { body } = await read('info');
    expect(body).toMatchObject({ profile: 'local', roles: ['api', 'deliver', 'evaluate'], publicUrl: api.server.url });
    expect(body.credentials.map(({ credential }: { credential: string }) => credential)).toContain(demo.globexOwner);
    const { data } = (await read(`credentials?workspaceId=${demo.globex.id}`)).body;
    await api.call('DELETE', `/_control/credentials/${data[0].id}`);
    const after = (await read('info')).body.credentials;
    expect(after).toHaveLength(body.credentials.length - 1);
    expect(JSON.stringify(after)).not.toContain(demo.globex.key);
  });

  test('lists no credentials in the strict profile', async () => {
    await using strict = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    const { body } = await strict.call('GET', '/_control/info', { credential: TEST_ADMIN_TOKEN });
    expect(body).toMatchObject({ profile: 'strict', credentials: [] });
  });
});

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
    expect((await read('organizations/org_none/members')).status).toBe(404);
  });

  test('find users by the beginning of their email', async () => {
    expect((await walk('users')).length).toBeGreaterThanOrEqual(4);
    for (const email of ['zoe.b@x.test', 'zoe.a@x.test', 'zoe.c@x.test', 'zof@x.test']) {
      await control('users', { email, name: 'Z' });
    }
    const found = await walk('users?q=zoe.');
    expect(found.map(({ email }) => email)).toEqual(['zoe.a@x.test', 'zoe.b@x.test', 'zoe.c@x.test']);
    expect(await walk('users?q=nobody')).toEqual([]);
    expect((await read(`users?q=${'x'.repeat(255)}`)).status).toBe(400);
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
    expect((await read('credentials')).status).toBe(400);
    expect((await read('credentials?workspaceId=a&userId=b')).status).toBe(400);
  });
});

describe('The state of an endpoint', () => {
  test('includes failures in a row, the next due attempt and the signing secrets', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint, secret } = await addEndpoint(receiver.url);
    const first = (await read(`endpoints/${endpoint.id}`)).body.endpoint;
    expect(first).toEqual({
      id: endpoint.id,
      workspaceId: demo.production.id,
      active: true,
      consecutiveFailures: 0,
      failuresUntilDisabled: 5,
      disabledAt: null,
      nextDueAt: null,
      secrets: [
        { id: secret.id, preview: secret.secretPreview, createdAt: secret.createdAt, expiresAt: null, pinned: false },
      ],
    });
    const { deliveries } = await cause();
    await control('settle', {});
    const delivery = await api.call('GET', `/v1/webhooks/deliveries/${deliveries[0].id}`, key);
    const list = (await read(`endpoints?workspaceId=${demo.production.id}`)).body;
    expect(list.data.find(({ id }: { id: string }) => id === endpoint.id)).toMatchObject({
      nextDueAt: delivery.body.delivery.nextAttemptAt,
    });
    await api.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`, key);
    const { secrets } = (await read(`endpoints/${endpoint.id}`)).body.endpoint;
    expect(secrets).toMatchObject([{ expiresAt: null }, { id: secret.id, expiresAt: expect.any(String) }]);
    expect(JSON.stringify(secrets)).not.toContain(secret.secret);
    await api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`, key);
    expect((await read(`endpoints/${endpoint.id}`)).status).toBe(404);
    expect((await read('endpoints?workspaceId=wsp_none')).status).toBe(404);
    expect((await read('endpoints')).status).toBe(400);
  });

  test('keeps the time when it was disabled, through other changes, until it is enabled again', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint } = await addEndpoint(receiver.url);
    const path = `/v1/webhooks/endpoints/${endpoint.id}`;
    const disabledAt = async () => (await read(`endpoints/${endpoint.id}`)).body.endpoint.disabledAt;
    await api.call('PATCH', path, { ...key, body: { active: false } });
    // The owner paused it, not the service.
    expect(await disabledAt()).toBeNull();
    await api.call('PATCH', path, { ...key, body: { active: true } });
    await control('clock', { freeze: true });
    for (let times = 0; times < 5; times++) await cause();
    await control('settle', {});
    await control('clock', { advance: '4d' });
    const since = await disabledAt();
    const { body } = await api.call(
      'GET',
      `/v1/events?type=webhook.endpoint.auto_disabled&subjectId=${endpoint.id}`,
      key,
    );
    expect(since).toBe(body.data[0].created);
    await api.call('PATCH', path, { ...key, body: { description: 'still off' } });
    expect(await disabledAt()).toBe(since);
    await api.call('PATCH', path, { ...key, body: { active: true } });
    expect(await disabledAt()).toBeNull();
    await control('clock', { resume: true });
  });

  test('includes its latest deliveries in short form', async () => {
    await using receiver = await startReceiver(204);
    const { endpoint } = await addEndpoint(receiver.url);
    const ids = [(await cause()).deliveries, (await cause()).deliveries].map(
      (deliveries) => deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id).id,
    );
    await control('settle', {});
    expect((await read(`endpoints/${endpoint.id}/activity`)).body).toEqual({
      deliveries: ids.toReversed().map((id) => ({ id, status: 'success', createdAt: expect.any(String) })),
      truncated: false,
    });
    expect((await read('endpoints/whe_none/activity')).status).toBe(404);
  });
});

describe('Deliveries', () => {
  test('are listed for an event', async () => {
    const { event, deliveries } = await cause();
    const listed = (await read(`events/${event.id}/deliveries`)).body.deliveries;
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(
      deliveries.map(({ id }: { id: string }) => id).sort(),
    );
    expect((await read('events/evt_none/deliveries')).status).toBe(404);
  });

  test('list the replays of the same event, and the original', async () => {
    await using receiver = await startReceiver(204);
    const { endpoint } = await addEndpoint(receiver.url);
    const { deliveries } = await cause();
    const original = deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id).id;
    const replay = async (id: string) =>
      (await api.call('POST', `/v1/webhooks/deliveries/${id}/replay`, key)).body.delivery.id;
    const replays = async (id: string) => {
      const { body } = await read(`deliveries/${id}/replays`);
      return [body.original?.id ?? null, ...body.replays.map((one: { id: string }) => one.id)];
    };
    expect(await replays(original)).toEqual([null]);
    const first = await replay(original);
    // The second replay is far in time from the event and from the first one.
    await control('clock', { advance: '3d' });
    // The replay of a replay sends the same event.
    const second = await replay(first);
    expect(await replays(original)).toEqual([null, first, second]);
    expect(await replays(first)).toEqual([original, second]);
    expect(await replays(second)).toEqual([original, first]);
    await control('settle', {});
    expect((await read(`deliveries/${second}/replays`)).body.original).toEqual({
      id: original,
      endpointId: endpoint.id,
      status: 'success',
      attempt: 1,
      createdAt: expect.any(String),
    });
    expect((await read('deliveries/whd_none/replays')).status).toBe(404);
  });

  test('can be signed again, with the real time and over the exact body', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint, secret } = await addEndpoint(receiver.url);
    await control('clock', { advance: '1h' });
    const { deliveries } = await cause();
    const { id } = deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id);
    const { status, body } = await control(`deliveries/${id}/signature`, {});
    expect(status).toBe(200);
    expect(body.url).toBe(receiver.url);
    const timestamp = body.headers['webhook-timestamp'];
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const signingKey = Buffer.from(secret.secret.replace('whsec_', ''), 'base64url');
    const expected = createHmac('sha256', signingKey).update(`${id}.${timestamp}.${body.body}`).digest('base64');
    expect(body.headers['webhook-signature']).toBe(`v1,${expected}`);
    await control('settle', {});
    const { attempts } = (await read(`deliveries/${id}/attempts`)).body;
    expect(attempts[0].request.bodyText).toBe(body.body);
    await api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`, key);
    expect((await control(`deliveries/${id}/signature`, {})).status).toBe(409);
    expect((await control('deliveries/whd_none/signature', {})).status).toBe(404);
  });
});

describe('GET /_control/find', () => {
  const find = (id: string) => read(`find?id=${encodeURIComponent(id)}`);

  test('finds what any id belongs to', async () => {
    const { endpoint, secret } = await addEndpoint('http://127.0.0.1:9/');
    const { event, deliveries } = await cause();
    const made = await control('credentials', { kind: 'api_key', workspaceId: demo.staging.id });
    const imported = `/_control/workspaces/${demo.staging.id}/profiles`;
    await api.call('PUT', imported, { body: [{ externalId: 'found' }] });
    const { data: profiles } = (await api.call('GET', imported)).body;
    const inProduction = { organizationId: null, workspaceId: demo.production.id, parentId: null };
    const expected: [string, object][] = [
      [demo.acmeId, { type: 'organization', organizationId: demo.acmeId }],
      [demo.production.id, { type: 'workspace', organizationId: demo.acmeId }],
      ['usr_01DEM0000000000000000WNER0', { type: 'user' }],
      [endpoint.id, { type: 'webhook_endpoint', ...inProduction }],
      [secret.id, { type: 'webhook_secret', ...inProduction, parentId: endpoint.id }],
      [deliveries[0].id, { type: 'webhook_delivery', ...inProduction }],
      [event.id, { type: 'event', ...inProduction }],
      [profiles[0].id, { type: 'profile', workspaceId: demo.staging.id }],
      [made.body.id, { type: 'api_key', workspaceId: demo.staging.id }],
    ];
    for (const [id, place] of expected) expect((await find(id)).body).toMatchObject({ id, ...place });
  });

  test('finds a finished evaluation and its workspace', async () => {
    const started = await control(`workspaces/${demo.staging.id}/evaluate`, {});
    expect(started.status).toBeLessThan(300);
    const { data } = (await read(`workspaces/${demo.staging.id}/evaluations`)).body;
    const [{ id }] = data;
    expect(id).toMatch(/^evl_/);
    expect((await find(id)).body).toEqual({
      id,
      type: 'evaluation',
      organizationId: null,
      workspaceId: demo.staging.id,
      parentId: null,
    });
  });

  test('finds a fault until it ends', async () => {
    const { fault } = (await control('faults', { target: 'delivery', effect: { status: 500 } })).body;
    expect((await find(fault.id)).body).toMatchObject({ id: fault.id, type: 'fault', workspaceId: null });
    await api.call('DELETE', `/_control/faults/${fault.id}`);
    expect((await find(fault.id)).status).toBe(404);
  });

  test('finds a request by its id', async () => {
    const { headers } = await api.call('GET', '/v1/me', key);
    const id = headers.get('Service-Request-Id') ?? '';
    expect((await find(id)).body).toMatchObject({ id, type: 'request' });
  });

  test('returns 404 for an unknown id, and 400 without an id', async () => {
    for (const id of [
      'whd_none',
      'org_none',
      'evl_none',
      'flt_none',
      'nothing',
      "'; drop table users; --",
      '__proto__',
    ]) {
      expect((await find(id)).status).toBe(404);
    }
    expect((await read('find')).status).toBe(400);
  });
});

describe('Resuming the clock', () => {
  test('continues from its current time', async () => {
    await control('clock', { freeze: true });
    const { body: frozen } = await control('clock', { advance: '1h' });
    const { body: resumed } = await control('clock', { resume: true });
    expect(Date.parse(resumed.now) - Date.parse(frozen.now)).toBeLessThan(60_000);
    expect(Date.parse(resumed.now)).toBeGreaterThanOrEqual(Date.parse(frozen.now));
    expect((await read('clock')).body).toMatchObject({ frozen: false, offsetMs: expect.any(Number) });
    expect((await control('clock', { resume: false })).status).toBe(400);
  });
});

describe('DELETE /_control/faults/{id}', () => {
  test('ends one fault and leaves the others', async () => {
    const add = async () =>
      (await control('faults', { target: 'delivery', effect: { status: 500 }, match: { endpointId: 'whe_x' } })).body
        .fault.id;
    const [first, second] = [await add(), await add()];
    expect((await api.call('DELETE', `/_control/faults/${first}`)).status).toBe(200);
    expect((await api.call('DELETE', `/_control/faults/${first}`)).status).toBe(404);
    expect((await read('faults')).body.faults).toMatchObject([{ id: second }]);
    await api.call('DELETE', '/_control/faults');
  });
});
