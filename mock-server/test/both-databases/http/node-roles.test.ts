import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is asserted.
const refusal = ({ status, body }: ApiResponse<any>) => [status, body.error.code];

const subscribe = (api: TestApi, url: string) =>
  api.call('POST', '/v1/webhooks/endpoints', {
    credential: demo.production.key,
    body: { url, subscribedEvents: ['lifecycle.*'] },
  });

const cause = (api: TestApi) =>
  api.call('POST', '/_control/events', { body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' } });

describe('A node that does not serve the API', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ roles: ['deliver'] });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('refuses every call with 503, which tells the caller to try another node, and never with 404', async () => {
    const answer = await api.call('GET', '/v1/me', { credential: demo.production.key });
    expect(refusal(answer)).toEqual([503, 'UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(refusal(await api.call('DELETE', '/v1/webhooks/endpoints/whe_x'))).toEqual([503, 'UNAVAILABLE']);
  });

  test('is healthy, and answers the control API', async () => {
    expect((await api.call('GET', '/health/ready')).status).toBe(200);
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
  });
});

describe('A node that does not deliver', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ roles: ['api'] });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('accepts events and leaves their deliveries pending, even after a reset', async () => {
    for (const start of ['fresh', 'reset']) {
      if (start === 'reset') await api.call('POST', '/_control/reset', { body: {} });
      await using receiver = await startReceiver();
      expect((await subscribe(api, receiver.url)).status).toBe(201);
      const { body } = await cause(api);
      const [{ id }] = body.deliveries;
      const waited = await api.call('GET', `/_control/wait?deliveryId=${id}&timeoutMs=300`);
      expect([start, waited.status, waited.body.deliveries[0].status]).toEqual([start, 408, 'pending']);
      expect(receiver.received).toEqual([]);
    }
  });

  test('moves the clock and settles like any node, and reports what is still pending', async () => {
    await api.call('POST', '/_control/reset', { body: {} });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const { now } = (await api.call('GET', '/_control/clock')).body;
    expect(await api.call('POST', '/_control/clock', { body: { advance: '5m' } })).toMatchObject({
      status: 200,
      body: { now: new Date(Date.parse(now) + 300_000).toISOString(), ran: { attempts: 0, evaluations: 0 } },
    });
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    await using receiver = await startReceiver();
    await subscribe(api, receiver.url);
    await cause(api);
    const { status, body } = await api.call('POST', '/_control/settle', { body: { timeoutMs: 100 } });
    expect([status, body.settled, body.pending, body.inFlight]).toEqual([200, false, 1, 0]);
    expect((await api.call('POST', '/_control/clock', { body: { advance: '5m' } })).status).toBe(200);
    expect(receiver.received).toEqual([]);
  });
});

describe('Retention', () => {
  test('removes old deliveries and their events when the clock moves past the retention time, and keeps newer ones', async () => {
    await using api = await startApi({ retentionMs: 86_400_000 });
    await using receiver = await startReceiver();
    await subscribe(api, receiver.url);
    const old = (await cause(api)).body;
    await api.call('POST', '/_control/settle', { body: {} });
    await api.call('POST', '/_control/clock', { body: { advance: '20h' } });
    const young = (await cause(api)).body;
    await api.call('POST', '/_control/settle', { body: {} });

    const status = async (path: string) => (await api.call('GET', path, { credential: demo.production.key })).status;
    expect(await status(`/v1/events/${old.event.id}`)).toBe(200);
    await api.call('POST', '/_control/clock', { body: { advance: '20h' } });
    await expect.poll(() => status(`/v1/webhooks/deliveries/${old.deliveries[0].id}`)).toBe(404);
    // An event is deleted once no delivery needs it.
    await expect.poll(() => status(`/v1/events/${old.event.id}`)).toBe(404);
    expect(await status(`/v1/webhooks/deliveries/${young.deliveries[0].id}`)).toBe(200);
    expect(await status(`/v1/events/${young.event.id}`)).toBe(200);
  });
});
