import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

/** `fetch` cannot set `Host`, but a browser under DNS rebinding sends a foreign one. */
function statusUnderHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = api.server;
    request({ host: '127.0.0.1', port, path: '/_control/clock', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('The control API keeps web pages out', () => {
  test('by answering only under its own host names', async () => {
    const { port } = api.server;
    expect(await statusUnderHost(`127.0.0.1:${port}`)).toBe(200);
    expect(await statusUnderHost(`localhost:${port}`)).toBe(200);
    expect(await statusUnderHost(`rebound.attacker.test:${port}`)).toBe(403);
    expect(await statusUnderHost('127.0.0.1:1')).toBe(403);
  });

  test('by refusing a foreign Origin, but not its own', async () => {
    const ask = async (origin: string) => (await api.call('GET', '/_control/clock', { headers: { origin } })).status;
    expect(await ask('https://attacker.test')).toBe(403);
    expect(await ask('null')).toBe(403);
    expect(await ask(api.server.url)).toBe(200);
  });

  test('by asking for the admin token if one is set', async () => {
    await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    const ask = async (headers: Record<string, string>) =>
      (await guarded.call('GET', '/_control/clock', { headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer let-me-out' })).toBe(401);
    expect(await ask({ authorization: `Bearer ${TEST_ADMIN_TOKEN}` })).toBe(200);
  });

  test('by requiring an admin token in the strict profile', async () => {
    await using strict = await startApi({ strict: true });
    expect((await strict.call('GET', '/_control/clock')).status).toBe(403);
    await using guarded = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    expect((await guarded.call('GET', '/_control/clock', { headers })).status).toBe(200);
  });
});

test('no response of the control API may be stored by a cache', async () => {
  await using guarded = await startApi({ adminToken: TEST_ADMIN_TOKEN });
  await using closed = await startApi({ strict: true });
  const ask = async (from: TestApi, path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(from.server.url + path, { method, headers });
    await response.body?.cancel();
    return [response.status, response.headers.get('cache-control')];
  };
  for (const path of ['clock', 'info', 'export', 'stream', 'openapi.json', 'seed.schema.json']) {
    expect([path, await ask(api, `/_control/${path}`)]).toEqual([path, [200, 'no-store']]);
  }
  expect(await ask(api, '/_control/nope')).toEqual([404, 'no-store']);
  expect(await ask(api, '/_control/clock', 'DELETE')).toEqual([405, 'no-store']);
  expect(await ask(api, '/_control/settle', 'POST')).toEqual([415, 'no-store']);
  expect(await ask(api, '/_control/clock', 'GET', { origin: 'https://attacker.test' })).toEqual([403, 'no-store']);
  expect(await ask(guarded, '/_control/clock')).toEqual([401, 'no-store']);
  expect(await ask(closed, '/_control/clock')).toEqual([403, 'no-store']);
  expect(await ask(api, '/v1/me')).toEqual([401, null]);
});

describe('POST /_control/events', () => {
  const cause = (body: unknown) => api.call('POST', '/_control/events', { body });

  test('stores the event, and the API returns exactly that event', async () => {
    const { status, body } = await cause({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' });
    expect(status).toBe(201);
    expect(body).toEqual({
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'lifecycle.evaluated',
        created: expect.any(String),
        subject: { id: demo.production.id, type: 'workspace', url: `/v1/workspaces/${demo.production.id}` },
      },
      deliveries: [],
    });
    const shown = await api.call('GET', `/v1/events/${body.event.id}`, { credential: demo.production.key });
    expect(shown.body).toEqual(body.event);
    const elsewhere = await api.call('GET', `/v1/events/${body.event.id}`, { credential: demo.staging.key });
    expect(elsewhere.status).toBe(404);
  });

  test('accepts several events at once, and stores none if one of them is invalid', async () => {
    const good = { workspaceId: demo.globex.id, type: 'lifecycle.evaluated' };
    expect((await cause({ events: [good, good] })).body.events).toHaveLength(2);
    const before = (await api.call('GET', '/v1/events', { credential: demo.globex.key })).body.data.length;
    expect((await cause({ events: [good, { ...good, workspaceId: 'wsp_unknown' }] })).status).toBe(404);
    expect((await cause({ events: [good, { ...good, type: 'made.up' }] })).status).toBe(400);
    expect((await api.call('GET', '/v1/events', { credential: demo.globex.key })).body.data).toHaveLength(before);
  });

  test.each([
    [{}],
    [{ workspaceId: 1 }],
    [{ events: [] }],
    [{ workspaceId: demo.globex.id, type: 'lifecycle.evaluated', subjct: {} }],
  ])('refuses %j', async (body) => {
    expect(await cause(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});

describe('POST /_control/organizations, workspaces and users', () => {
  let taken = 0;
  const bodies = {
    organizations: (change: object) => ({ name: 'Bounds', ...change }),
    workspaces: (change: object) => ({ organizationId: demo.acmeId, name: 'Bounds', ...change }),
    users: (change: object) => ({ email: `bounds-${++taken}@x.test`, name: 'Bounds', ...change }),
  };
  const make = async (what: keyof typeof bodies, change: object) =>
    (await api.call('POST', `/_control/${what}`, { body: bodies[what](change) })).status;

  test.each([
    ['https://pictures.test/logo.svg', 201],
    ['http://localhost:3000/logo', 201],
    [null, 201],
    ['javascript:alert(1)', 400],
    ['data:image/png;base64,AA==', 400],
    ['mailto:a@b.test', 400],
    ['/logo.svg', 400],
    ['https:pictures.test', 400],
    ['https://pictures.test/a b', 400],
    ['', 400],
  ])('a picture at %j is answered with %i', async (address, status) => {
    expect(await make('organizations', { logo: address })).toBe(status);
    expect(await make('workspaces', { image: address })).toBe(status);
  });

  test.each([
    ['a', 201],
    ['😀'.repeat(120), 201],
    ['😀'.repeat(121), 400],
    ['  ', 400],
    ['', 400],
  ])('a user named %j is answered with %i', async (name, status) => {
    expect(await make('users', { name })).toBe(status);
  });
});

describe('POST /_control/clock', () => {
  const set = (body: unknown) => api.call('POST', '/_control/clock', { body });
  const now = async () => Date.parse((await api.call('GET', '/_control/clock')).body.now);

  test('advances by ISO 8601 and short durations, and stored timestamps follow', async () => {
    const before = await now();
    expect((await set({ advance: 'P1DT2H' })).body.ran).toEqual({ attempts: 0, evaluations: 0 });
    await set({ advance: '3d' });
    expect((await now()) - before).toBeGreaterThanOrEqual(98 * 3_600_000);
    const { body } = await api.call('PATCH', `/v1/workspaces/${demo.globex.id}`, {
      credential: demo.globex.key,
      body: { weekStartsOn: 6 },
    });
    expect(body.workspace.id).toBe(demo.globex.id);
    const { workspace } = (await api.call('GET', `/v1/workspaces/${demo.globex.id}`, { credential: demo.globex.key }))
      .body;
    expect(Date.parse(workspace.updatedAt) - before).toBeGreaterThanOrEqual(98 * 3_600_000);
  });

  test('freezes, moves while frozen, and returns to the real time on reset', async () => {
    await set({ freeze: true });
    const frozenAt = await now();
    await set({ advance: 'PT5M' });
    expect(await now()).toBe(frozenAt + 300_000);
    expect((await api.call('GET', '/_control/clock')).body.frozen).toBe(true);
    await set({ reset: true });
    expect((await api.call('GET', '/_control/clock')).body).toMatchObject({ offsetMs: 0, frozen: false });
  });

  test.each([
    [{ set: '2001-01-01T00:00:00Z' }],
    [{ set: 'tomorrow' }],
    [{ advance: '5 minutes' }],
    [{ advance: 'P1M' }],
    [{ advance: '-5m' }],
    [{ advance: '9999999999d' }],
    [{ advance: '3500000d' }],
    [{ set: '9999-06-01T00:00:00Z' }],
    [{ freeze: false }],
    [{}],
    [{ advance: '5m', freeze: true }],
  ])('refuses %j', async (body) => {
    expect(await set(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});

test('the server still works at the latest possible time', async () => {
  await using own = await startApi();
  expect((await own.call('POST', '/_control/clock', { body: { set: '9998-12-31T23:59:59Z' } })).status).toBe(200);
  const caused = await own.call('POST', '/_control/events', {
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  expect(caused.body.event.created).toMatch(/^9998-12-31T/);
  expect((await own.call('POST', '/_control/clock', { body: { reset: true } })).status).toBe(200);
});

describe('POST /_control/reset', () => {
  test('refuses a seed with an id that the server also generates, and changes nothing', async () => {
    const repeated = { randomSeed: 7, startAt: Date.parse('2031-03-01T00:00:00Z'), seed: {} };
    const users = [{ email: 'a@b.test', name: 'A' }];
    await using first = await startApi(repeated);
    await first.call('POST', '/_control/reset', { body: { seed: { users } } });
    const { data } = (await first.call('GET', '/_control/users')).body;

    await using second = await startApi(repeated);
    const seed = { users: [...users, { id: data[0].id, email: 'b@b.test', name: 'B' }] };
    const { status, body } = await second.call('POST', '/_control/reset', { body: { seed } });
    expect(body).toEqual(
      failure('VALIDATION', 'The seed is not valid: it has an id, slug, email or credential twice.'),
    );
    expect(status).toBe(400);
    expect((await second.call('GET', '/_control/users')).body.data).toEqual([]);
  });

  test('deletes everything and applies the given seed', async () => {
    await using own = await startApi();
    await own.call('POST', '/_control/clock', { body: { advance: 'P1D' } });
    const reset = await own.call('POST', '/_control/reset', {
      body: {
        seed: {
          users: [{ email: 'a@b.test', name: 'A', tokens: [{ name: 'A' }] }],
          organizations: [
            { slug: 'solo', name: 'Solo', members: { 'a@b.test': 'Owner' }, workspaces: [{ slug: 'w', name: 'W' }] },
          ],
          eventTypes: [{ type: 'invoice.paid', category: 'Billing', description: 'Paid.' }],
        },
      },
    });
    expect(reset.body.credentials).toEqual([
      {
        kind: 'personal_access_token',
        name: 'A',
        credential: expect.stringMatching(/^svc_pat_test_/),
        workspaceId: null,
        role: 'Owner',
      },
    ]);
    const { credential } = reset.body.credentials[0];
    expect((await own.call('GET', '/v1/workspaces', { credential })).body.data).toHaveLength(1);
    expect((await own.call('GET', '/v1/me', { credential: demo.owner })).status).toBe(401);
    expect((await own.call('GET', '/_control/clock')).body.offsetMs).toBe(0);

    const again = await own.call('POST', '/_control/reset');
    expect(again.body.credentials.map((item: { credential: string }) => item.credential)).toContain(
      demo.production.key,
    );
  });

  test('refuses an invalid seed, and changes nothing', async () => {
    const key = { credential: demo.production.key };
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    await api.call('POST', '/_control/clock', { body: { advance: 'P1D' } });
    const clock = (await api.call('GET', '/_control/clock')).body;
    for (const seed of [
      { organisations: [] },
      { organizations: [{ slug: 'a', name: 'A', members: { 'no@one.test': 'Owner' } }] },
      { organizations: [{ slug: 'a', name: 'A', logo: 'javascript:alert(1)' }] },
      { users: [{ email: 'a@b.test', name: ' ' }] },
      'text',
    ]) {
      expect((await api.call('POST', '/_control/reset', { body: { seed } })).status).toBe(400);
    }
    const twice = { slug: 'a', name: 'A' };
    expect(
      (await api.call('POST', '/_control/reset', { body: { seed: { organizations: [twice, twice] } } })).status,
    ).toBe(400);
    expect((await api.call('GET', '/v1/me', key)).status).toBe(200);
    const { offsetMs: _, ...shown } = clock;
    expect((await api.call('GET', '/_control/clock')).body).toMatchObject(shown);
    await api.call('POST', '/_control/clock', { body: { reset: true } });
  });
});
