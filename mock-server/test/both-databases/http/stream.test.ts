import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { followStream, type Message } from '../../support/http/follow-stream.ts';
import { startReceiver } from '../../support/receiver.ts';

const follow = (on = api) => followStream(on);

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const told = (messages: Message[], name: string) => messages.filter(({ data }) => name in data);

describe('GET /_control/stream', () => {
  test('starts with the instance, the version and the clock', async () => {
    await using stream = await follow();
    expect(stream.messages[0]?.data).toEqual({
      instanceId: expect.any(String),
      dataId: expect.any(String),
      version: expect.any(String),
      clock: { now: expect.any(String), offsetMs: expect.any(Number), frozen: false, moving: false },
    });
  });

  test('names other data after a reset, and the same data otherwise', async () => {
    const dataId = async () => {
      await using stream = await follow();
      return stream.messages[0]?.data.dataId;
    };
    const before = await dataId();
    expect(await dataId()).toBe(before);
    await api.call('POST', '/_control/reset', { body: {} });
    expect(await dataId()).not.toBe(before);
  });

  test('reports events, and deliveries and endpoints by their ids', async () => {
    await using receiver = await startReceiver(204);
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await using stream = await follow();
    const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { credential: demo.production.key, body }))
      .body;
    await vi.waitFor(() => expect(told(stream.messages, 'endpoints')[0]?.data.endpoints).toContain(endpoint.id));
    const caused = await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    });
    const [{ id }] = caused.body.deliveries;
    await vi.waitFor(() => {
      const named = told(stream.messages, 'deliveries').filter(({ data }) => data.deliveries.ids?.includes(id));
      // Two changes: it is stored, then attempted. Both may be in one message.
      expect(named.reduce((sum, { data }) => sum + data.deliveries.count, 0)).toBeGreaterThanOrEqual(2);
    });
    expect(told(stream.messages, 'events').some(({ data }) => data.events === 1)).toBe(true);
  });

  test('reports changes of the clock, tenants, faults and requests, and a reset', async () => {
    await using own = await startApi();
    await using stream = await follow(own);
    const { body } = await own.call('POST', '/_control/clock', { body: { freeze: true } });
    await vi.waitFor(() =>
      expect(told(stream.messages, 'clock').at(-1)?.data.clock).toMatchObject({ now: body.now, frozen: true }),
    );
    await own.call('POST', '/_control/users', { body: { email: 'new@x.test', name: 'New' } });
    await own.call('POST', '/_control/faults', { body: { target: 'api', effect: { delayMs: 1 } } });
    await own.call('GET', '/v1/me', { credential: demo.production.key });
    await vi.waitFor(() => {
      for (const name of ['tenants', 'faults', 'requests']) expect(told(stream.messages, name)).not.toEqual([]);
    });
    await own.call('POST', '/_control/reset', { body: {} });
    await vi.waitFor(() => expect(told(stream.messages, 'reset')).not.toEqual([]));
  });

  test('reports no reset if the snapshot to restore does not exist, and sessions stay valid', async () => {
    await using own = await startApi();
    await using stream = await follow(own);
    const session = await own.call('POST', '/_control/sessions', {
      body: { workspaceId: demo.production.id, baseUrl: own.server.url },
    });
    expect((await own.call('POST', '/_control/snapshots/none/restore', { body: {} })).status).toBe(404);
    expect((await own.call('GET', '/v1/me', { credential: session.body.credential })).status).toBe(200);
    await own.call('POST', '/_control/faults', { body: { target: 'api', effect: { delayMs: 1 } } });
    await vi.waitFor(() => expect(told(stream.messages, 'faults')).not.toEqual([]));
    expect(told(stream.messages, 'reset')).toEqual([]);

    await own.call('POST', '/_control/snapshots/some', { body: {} });
    await own.call('POST', '/_control/snapshots/some/restore', { body: {} });
    await vi.waitFor(() => expect(told(stream.messages, 'reset')).not.toEqual([]));
    expect((await own.call('GET', '/v1/me', { credential: session.body.credential })).status).toBe(401);
  });

  test('ends at a reset with its admin session, and continues with the admin token', async () => {
    await using own = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    const { body } = await own.call('POST', '/_control/sessions', { headers, body: { admin: true } });
    await using withSession = await followStream(own, body.credential);
    await using withToken = await followStream(own, TEST_ADMIN_TOKEN);
    await own.call('POST', '/_control/reset', { headers, body: {} });
    await withSession.ended;
    expect(withSession.messages.at(-1)?.data).toMatchObject({ reset: true });
    await own.call('POST', '/_control/clock', { headers, body: { advance: '1h' } });
    await vi.waitFor(() => expect(withToken.messages.at(-1)?.data).toHaveProperty('clock.now'));
  });

  test('reports profiles, their data source and evaluations', async () => {
    await using own = await startApi();
    await using stream = await follow(own);
    const base = `/_control/workspaces/${demo.production.id}`;
    const changes: (() => Promise<unknown>)[] = [
      () => own.call('PUT', `${base}/profiles`, { body: [{ externalId: 'told', name: 'Told' }] }),
      () => own.call('PUT', `${base}/data-source`, { body: { kind: 'ndjson', location: '/tmp/none' } }),
      () => own.call('POST', `${base}/data-source/sync`, {}),
      () => own.call('POST', `${base}/evaluate`, {}),
    ];
    for (const change of changes) {
      const before = told(stream.messages, 'lifecycle').length;
      await change();
      await vi.waitFor(() => expect(told(stream.messages, 'lifecycle').length).toBeGreaterThan(before));
    }
    await vi.waitFor(() => expect(told(stream.messages, 'events')).not.toEqual([]));
  });

  test('merges changes that come quickly, and lists at most 100 ids', async () => {
    await using receiver = await startReceiver(204);
    await using own = await startApi({ rateLimit: false });
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await own.call('POST', '/v1/webhooks/endpoints', { credential: demo.production.key, body });
    await using stream = await follow(own);
    const events = Array.from({ length: 500 }, () => ({
      workspaceId: demo.production.id,
      type: 'lifecycle.evaluated',
    }));
    await own.call('POST', '/_control/events', { body: { events } });
    await own.call('POST', '/_control/settle', { body: {} });
    await vi.waitFor(() => {
      const counted = told(stream.messages, 'deliveries').reduce((sum, { data }) => sum + data.deliveries.count, 0);
      expect(counted).toBeGreaterThanOrEqual(1000);
    });
    const changed = stream.messages.filter(({ event }) => event === 'changed');
    for (const { data } of told(changed, 'deliveries')) {
      expect(data.deliveries.ids === null || data.deliveries.ids.length <= 100).toBe(true);
      expect(JSON.stringify(data).length).toBeLessThan(16 * 1024);
    }
    // The first changes are reported at once.
    const tookMs = (changed.at(-1)?.at ?? 0) - (changed[0]?.at ?? 0);
    expect(changed.length).toBeLessThanOrEqual(2 + tookMs / 250);
  });

  test('ends when the server shuts down', async () => {
    const own = await startApi();
    await using stream = await follow(own);
    await own[Symbol.asyncDispose]();
    await stream.ended;
  });

  test.runIf(onPostgres)('reports once a second that another server may have changed anything', async () => {
    await using stream = await follow();
    await vi.waitFor(() => {
      const [message] = told(stream.messages, 'tenants');
      expect(message?.data).toMatchObject({ deliveries: { ids: null }, endpoints: null, faults: true });
    });
  });

  test.skipIf(onPostgres)('reports nothing if nothing changes', async () => {
    await using own = await startApi();
    await using stream = await follow(own);
    await own.call('GET', '/_control/clock');
    await own.call('POST', '/_control/clock', { body: { freeze: true } });
    await vi.waitFor(() => expect(stream.messages).toHaveLength(2));
    expect(Object.keys(stream.messages[1]?.data)).toEqual(['clock']);
  });
});
