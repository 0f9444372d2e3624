import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { addEndpoint, advance, as, cause, settle } from '../../support/http/deliveries.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
const key = { credential: demo.production.key };
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
  const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { ...key, body })).body;
  await api.call('PATCH', `/v1/webhooks/endpoints/${endpoint.id}`, { ...key, body: { active: false } });
});
afterAll(() => api[Symbol.asyncDispose]());

/** Causes an event and returns its delivery. */
async function deliver(): Promise<{ id: string; createdAt: string }> {
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const { body } = await api.call('POST', '/_control/events', { body: event });
  return (await api.call('GET', `/v1/webhooks/deliveries/${body.deliveries[0].id}`, key)).body.delivery;
}

const idsWithin = async (bounds: Record<string, string>): Promise<string[]> => {
  const { body } = await api.call('GET', `/v1/webhooks/deliveries?${new URLSearchParams(bounds)}`, key);
  return body.data.map(({ id }: { id: string }) => id);
};

const moved = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString();

describe('Webhook deliveries: createdAt lower and upper bound', () => {
  test('both are inclusive to the millisecond, even for deliveries from before and after the clock was set back', async () => {
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const first = await deliver();
    await api.call('POST', '/_control/clock', { body: { advance: '3d' } });
    const ahead = await deliver();
    await api.call('POST', '/_control/clock', { body: { reset: true } });
    const last = await deliver();
    expect(last.id > ahead.id).toBe(true);
    expect(last.createdAt < ahead.createdAt).toBe(true);

    expect(await idsWithin({ createdFrom: first.createdAt, createdTo: first.createdAt })).toEqual([first.id]);
    expect(await idsWithin({ createdTo: moved(first.createdAt, -1) })).toEqual([]);
    expect(await idsWithin({ createdTo: last.createdAt })).toEqual([last.id, first.id]);
    expect(await idsWithin({ createdFrom: last.createdAt, createdTo: last.createdAt })).toEqual([last.id]);
    expect(await idsWithin({ createdFrom: moved(last.createdAt, 1) })).toEqual([ahead.id]);
    expect(await idsWithin({ createdFrom: ahead.createdAt, createdTo: ahead.createdAt })).toEqual([ahead.id]);
    expect(await idsWithin({ createdFrom: moved(ahead.createdAt, 1) })).toEqual([]);
  });

  test('both find new deliveries, even if the clock was set back again after a restore had set it back', async () => {
    const control = (path: string, body: object) => api.call('POST', `/_control/${path}`, { body });
    await control('clock', { advance: '3d' });
    await control('snapshots/ahead', {});
    await control('clock', { advance: '7d' });
    await control('snapshots/ahead/restore', {});
    await control('clock', { reset: true });
    const { id, createdAt } = await deliver();
    expect(await idsWithin({ createdFrom: createdAt, createdTo: createdAt })).toEqual([id]);
    expect(await idsWithin({ createdTo: moved(createdAt, -1) })).not.toContain(id);
  });

  test('digits after the milliseconds count', async () => {
    const { id, createdAt } = await deliver();
    const within = (digits: string) => createdAt.replace('Z', `${digits}Z`);
    expect(await idsWithin({ createdFrom: within('000'), createdTo: within('000') })).toEqual([id]);
    expect(await idsWithin({ createdFrom: within('0001') })).not.toContain(id);
    expect(await idsWithin({ createdTo: within('9') })).toContain(id);
  });

  test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('%s works as a bound', async (instant) => {
    const all = await idsWithin({});
    const before = instant.startsWith('0001');
    expect(await idsWithin({ createdFrom: instant })).toEqual(before ? all : []);
    expect(await idsWithin({ createdTo: instant })).toEqual(before ? [] : all);
  });

  test.each(['2031-03-01', 'yesterday', '2031-03-01T00:00:00'])('%s is refused', async (createdFrom) => {
    const answer = await api.call('GET', `/v1/webhooks/deliveries?createdFrom=${createdFrom}`, key);
    expect(answer.status).toBe(400);
  });

  test('a + that is not escaped is refused, and the message shows how to escape it', async () => {
    const list = (createdFrom: string) => api.call('GET', `/v1/webhooks/deliveries?createdFrom=${createdFrom}`, key);
    expect((await list('2031-03-01T00:00:00+02:00')).body.error.message).toContain('%2B02:00');
    expect((await list('2031-03-01T00:00:00%2B02:00')).status).toBe(200);
  });
});

describe('The filters of the list of deliveries', () => {
  test('the list filters by endpoint, status, event type and time, both bounds inclusive', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver();
    await using broken = await startReceiver(500);
    const good = await addEndpoint(api, receiver.url);
    const bad = await addEndpoint(api, broken.url);
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const first = await cause(api);
    await advance(api, '1h');
    await api.call('POST', `/v1/webhooks/endpoints/${good.id}/send-test-event`, as);
    await settle(api);
    const list = async (query: Record<string, string>) =>
      (await api.call('GET', `/v1/webhooks/deliveries?${new URLSearchParams(query)}`, as)).body.data.map(
        ({ endpointId, eventType }: Record<string, string>) =>
          `${endpointId === good.id ? 'good' : 'bad'} ${eventType}`,
      );
    expect(await list({})).toEqual(['good webhook.ping', 'bad lifecycle.evaluated', 'good lifecycle.evaluated']);
    expect(await list({ endpointId: bad.id })).toEqual(['bad lifecycle.evaluated']);
    expect(await list({ endpointId: 'whe_unknown' })).toEqual([]);
    expect(await list({ status: 'pending' })).toEqual(['bad lifecycle.evaluated']);
    expect(await list({ eventType: 'webhook.ping' })).toEqual(['good webhook.ping']);
    expect(await list({ eventType: 'webhook.*' })).toEqual([]);
    const at = first.event.created;
    const justAfter = new Date(Date.parse(at) + 1).toISOString();
    expect(await list({ createdTo: at })).toHaveLength(2);
    expect(await list({ createdFrom: at })).toHaveLength(3);
    expect(await list({ createdFrom: justAfter })).toEqual(['good webhook.ping']);
  });

  test.each(['status=lost', 'createdTo=yesterday'])('refuse an unknown value with 400: %s', async (filter) => {
    const answer = await api.call('GET', `/v1/webhooks/deliveries?${filter}`, key);
    expect(answer).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});
