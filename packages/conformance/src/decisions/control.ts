import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import { assertShape, flag, id, integer, nothing, oneOf, orNull, text, texts, time } from '../shape.ts';
import { section } from '../statement.ts';
import { demo, seed, userOf } from '../tenants.ts';

const { state, statements } = section('decision', 'Control API');
export const control = statements;

const key = { as: demo.productionKey };
const evaluated = { workspaceId: demo.production, type: 'lifecycle.evaluated' };

async function assertRefused(probe: Probe, expected: number, ...request: Parameters<Probe['control']>) {
  const response = await probe.control(...request);
  assert.equal(response.status, expected, `${JSON.stringify(request)}: ${response.text}`);
  assertShape(response.body.error, { code: text, message: text });
}

state('control.reset', 'POST /reset deletes everything, resets the clock and applies the seed', async (probe) => {
  await probe.endpoint('https://receiver.test/');
  await probe.event();
  await probe.freeze();
  await probe.advance('30d');
  const { status, body } = await probe.control('POST', '/reset', { seed });
  assert.equal(status, 200);
  assert.deepEqual(
    body.credentials.map(({ credential }: { credential: string }) => credential).sort(),
    Object.values(demo)
      .filter((value) => value.startsWith('svc_'))
      .sort(),
  );
  for (const credential of body.credentials) {
    assertShape(credential, {
      kind: oneOf('api_key', 'personal_access_token'),
      name: text,
      credential: text,
      workspaceId: orNull(id('wsp_')),
      role: orNull(text),
    });
  }
  for (const list of ['/v1/events', '/v1/webhooks/deliveries', '/v1/webhooks/endpoints']) {
    assert.deepEqual((await probe.call('GET', list, key)).body.data, [], list);
  }
  const clock = (await probe.control('GET', '/clock')).body;
  assert.deepEqual([clock.frozen, clock.offsetMs], [false, 0]);
  await assertRefused(probe, 400, 'POST', '/reset', { seed: { organisations: [] } });
  assert.equal((await probe.call('GET', '/v1/me', key)).status, 200);
});

state(
  'control.clock',
  'The clock can be set, frozen, reset, and advanced by an ISO 8601 duration or a short duration such as 5m',
  async (probe) => {
    const read = async () => (await probe.control('GET', '/clock')).body;
    assertShape(await read(), { now: time, offsetMs: integer, frozen: flag });
    await probe.freeze();
    const start = Date.parse((await read()).now);
    let expected = start;
    for (const [advance, ms] of [
      ['PT5M', 300_000],
      ['5m', 300_000],
      ['12h', 43_200_000],
      ['3d', 259_200_000],
      ['P1DT1S', 86_401_000],
    ] as const) {
      const { status, body } = await probe.control('POST', '/clock', { advance });
      expected += ms;
      assert.deepEqual(
        [status, body],
        [200, { now: new Date(expected).toISOString(), ran: { attempts: 0, evaluations: 0 } }],
      );
    }
    for (const body of [{}, { advance: 'soon' }, { advance: '-5m' }, { set: 'noon' }, { freeze: true, reset: true }]) {
      await assertRefused(probe, 400, 'POST', '/clock', body);
    }
    await probe.control('POST', '/clock', { reset: true });
    const { now, frozen } = await read();
    assert.ok(!frozen && Math.abs(Date.parse(now) - Date.now()) < 60_000);
  },
);

state(
  'control.advance-in-order',
  'When the clock advances, all due work runs in order, each item at its own time, before the response is sent',
  async (probe) => {
    const receiver = await probe.receiver(500);
    await probe.endpoint(receiver.url);
    await probe.freeze();
    const { now } = (await probe.control('GET', '/clock')).body;
    const made: string[] = [];
    for (const step of ['1m', '1m']) {
      made.push(String((await probe.event()).deliveries[0]?.id));
      await probe.settle();
      await probe.advance(step);
    }
    assert.deepEqual(await probe.advance('33m'), { attempts: 3, evaluations: 0 });
    const [first, second] = made;
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [first, second, first, second, first],
    );
    const minutes = (at: string) => (Date.parse(at) - Date.parse(now)) / 60_000;
    assert.deepEqual(
      (await probe.attempts(String(first))).map(({ startedAt }) => minutes(startedAt)),
      [0, 5, 35],
    );
    assert.deepEqual(
      (await probe.attempts(String(second))).map(({ startedAt }) => minutes(startedAt)),
      [1, 6],
    );
  },
);

state(
  'control.settle',
  'POST /settle waits until nothing is due or in flight; on timeout, the response shows how much work remains',
  async (probe) => {
    const held = await probe.hold();
    await probe.endpoint(held.url);
    await probe.event();
    await held.arrived(1);
    const early = await probe.control('POST', '/settle', { timeoutMs: 20 });
    assertShape(early.body, { settled: oneOf(false), pending: integer, inFlight: integer, nextDueAt: orNull(time) });
    held.release(500);
    const { status, body } = await probe.control('POST', '/settle', {});
    assert.equal(status, 200);
    assertShape(body, { settled: oneOf(true), pending: integer, inFlight: oneOf(0), nextDueAt: time });
  },
);

state(
  'control.events',
  'POST /events creates one event, or several at once; a rejected request creates no event',
  async (probe) => {
    const { id: endpointId } = await probe.endpoint('https://receiver.test/', ['*']);
    await probe.call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { ...key, body: { active: false } });
    const one = await probe.control('POST', '/events', evaluated);
    assert.equal(one.status, 201);
    assertShape(one.body, { event: (value) => typeof value === 'object', deliveries: Array.isArray });
    assert.deepEqual(one.body.event.subject, {
      id: demo.production,
      type: 'workspace',
      url: `/v1/workspaces/${demo.production}`,
    });
    assertShape(one.body.deliveries[0], { id: id('whd_'), endpointId: oneOf(endpointId), status: oneOf('disabled') });
    const several = await probe.control('POST', '/events', { events: [evaluated, evaluated] });
    assert.deepEqual([several.status, several.body.events.length], [201, 2]);
    await assertRefused(probe, 400, 'POST', '/events', { ...evaluated, type: 'made.up' });
    await assertRefused(probe, 400, 'POST', '/events', { events: [evaluated, { ...evaluated, type: 'made.up' }] });
    assert.equal((await probe.call('GET', '/v1/events', key)).body.data.length, 3);
  },
);

state(
  'control.tenants',
  'The control API creates organizations, workspaces, members, users and credentials',
  async (probe) => {
    const make = async (path: string, body: object) => {
      const response = await probe.control('POST', path, body);
      assert.equal(response.status, 201, response.text);
      return response.body;
    };
    const { organization } = await make('/organizations', { name: 'New Company' });
    assertShape(organization, { id: id('org_'), slug: text, name: oneOf('New Company'), logo: oneOf(null) });
    const { workspace } = await make('/workspaces', { organizationId: organization.id, name: 'Main', timezone: 'UTC' });
    assert.deepEqual([workspace.organizationId, workspace.timezone], [organization.id, 'UTC']);
    const { user } = await make('/users', { email: 'new@company.test', name: 'New' });
    assertShape(user, { id: id('usr_'), email: oneOf('new@company.test'), name: oneOf('New') });
    const issued = await make('/credentials', { kind: 'personal_access_token', userId: user.id });
    assertShape(issued, { id: id('pat_'), credential: text });
    const role = async () =>
      (await probe.call('GET', '/v1/organizations', { as: issued.credential })).body.data.map(
        (item: { role: string }) => item.role,
      );
    assert.deepEqual(await role(), []);
    for (const given of ['Viewer', 'Admin', 'Owner']) {
      const response = await probe.control('PUT', `/organizations/${organization.id}/members/${user.id}`, {
        role: given,
      });
      assert.deepEqual([response.status, response.body, await role()], [200, { ok: true }, [given]]);
    }
    await assertRefused(probe, 400, 'PUT', `/organizations/${organization.id}/members/${user.id}`, { role: 'None' });
    await assertRefused(probe, 409, 'POST', '/users', { email: 'new@company.test', name: 'Again' });
    await assertRefused(probe, 404, 'POST', '/workspaces', { organizationId: 'org_x', name: 'Lost' });
  },
);

state(
  'control.notifications',
  'GET /notifications lists notifications, newest first; with userId, only the notifications of that user',
  async (probe) => {
    const { url } = await probe.receiver(500);
    await probe.endpoint(url);
    await probe.control('POST', '/events', { events: Array(5).fill(evaluated) });
    await probe.advance('30d');
    const all = (await probe.control('GET', '/notifications?limit=2')).body;
    assert.deepEqual([all.data.length, all.previousPageUrl], [2, null]);
    assertShape(all.data[0], {
      id: id('ntf_'),
      userId: id('usr_'),
      workspaceId: oneOf(demo.production),
      type: oneOf('webhook.endpoint.auto_disabled'),
      endpointId: id('whe_'),
      createdAt: time,
      readAt: orNull(time),
    });
    const { searchParams } = new URL(all.nextPageUrl);
    const rest = (await probe.control('GET', `/notifications?${searchParams}`)).body;
    assert.deepEqual([rest.data.length, rest.nextPageUrl], [1, null]);
    const userId = userOf(demo.viewer);
    const own = (await probe.control('GET', `/notifications?userId=${userId}`)).body.data;
    assert.deepEqual(
      own.map((notification: { userId: string }) => notification.userId),
      [userId],
    );
  },
);

state(
  'control.requests',
  'GET /requests lists the requests that the API received, without their credentials',
  async (probe) => {
    // Each server of a fleet lists only the requests that it received, so send enough requests to reach every server.
    for (let server = 0; server < 3; server++) await probe.call('GET', '/v1/me?marker=1', key);
    const { status, body, text: response } = await probe.control('GET', '/requests?limit=100');
    assert.equal(status, 200);
    assert.ok(!response.includes(demo.productionKey));
    const found = body.data.find(({ url }: { url: string }) => url.includes('marker=1'));
    assertShape(found, {
      id: text,
      receivedAt: time,
      method: oneOf('GET'),
      url: text,
      headers: texts,
      status: oneOf(200),
      durationMs: (value) => typeof value === 'number',
      operation: text,
      credentialId: text,
      workspaceId: text,
      faultId: nothing,
      ignored: (value) => JSON.stringify(value) === '["query.marker"]',
      requestBody: nothing,
      // The body is null in the strict profile, because only a server in the local profile keeps bodies.
      responseBody: orNull(text),
    });
  },
);

state(
  'control.faults',
  'Faults can be injected, listed and cleared; an API fault occurs as many times as configured',
  async (probe) => {
    const created = await probe.control('POST', '/faults', { target: 'api', effect: { status: 503 }, times: 1 });
    assert.equal(created.status, 201);
    assert.deepEqual(
      (await probe.control('GET', '/faults')).body.faults.map((fault: { id: string }) => fault.id),
      [created.body.fault.id],
    );
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await probe.call('GET', '/v1/me', key)).status);
    assert.deepEqual(statuses, [503, 200, 200]);
    const receiver = await probe.receiver();
    await probe.endpoint(receiver.url);
    await probe.control('POST', '/faults', { target: 'delivery', effect: { status: 500 }, times: 1 });
    const { deliveries } = await probe.event();
    await probe.settle();
    assert.equal((await probe.delivery(String(deliveries[0]?.id))).error, 'HTTP 500');
    await probe.control('DELETE', '/faults');
    assert.deepEqual((await probe.control('GET', '/faults')).body.faults, []);
  },
);

state(
  'control.wait',
  'GET /wait returns 200 when a delivery, or every delivery of an event, has the given status, and returns 408 on timeout',
  async (probe) => {
    const { url } = await probe.receiver();
    await probe.endpoint(url);
    const { event, deliveries } = await probe.event();
    for (const query of [`deliveryId=${deliveries[0]?.id}`, `eventId=${event.id}`]) {
      const met = await probe.control('GET', `/wait?${query}&status=success`);
      assert.deepEqual([met.status, met.body.deliveries[0].status], [200, 'success']);
      const unmet = await probe.control('GET', `/wait?${query}&status=failed&timeoutMs=10`);
      assert.deepEqual([unmet.status, unmet.body.deliveries[0].status], [408, 'success']);
    }
  },
);

state('control.origin', 'The control API rejects every request with a foreign Origin: 403 FORBIDDEN', async (probe) => {
  for (const origin of ['https://attacker.test', 'null']) {
    const { status, body } = await probe.control('GET', '/clock', undefined, { origin });
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'], origin);
  }
});
