import { describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { startRawReceiver } from '../../support/delivery/hostile.ts';
import { demo } from '../../support/demo.ts';
import { expectedSignature, startReceiver } from '../../support/receiver.ts';

const as = { credential: demo.production.key };

async function addEndpoint(api: TestApi, url: string, subscribedEvents = ['lifecycle.*']) {
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', { ...as, body: { url, subscribedEvents } });
  return { id: body.endpoint.id as string, secret: body.secret.secret as string };
}

const cause = async (api: TestApi) =>
  (
    await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    })
  ).body;

const settle = (api: TestApi) => api.call('POST', '/_control/settle');
const advance = async (api: TestApi, duration: string) =>
  (await api.call('POST', '/_control/clock', { body: { advance: duration } })).body;
const deliveryOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/v1/webhooks/deliveries/${id}`, as)).body.delivery;

describe('A response that breaks off', () => {
  test('fails the attempt, and keeps its status, its headers and what came of its body', async () => {
    await using api = await startApi();
    await using receiver = await startRawReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nx-kept: yes\r\ncontent-length: 9\r\n\r\nhalf'),
    );
    await addEndpoint(api, receiver.url);
    const { deliveries } = await cause(api);
    await settle(api);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'pending',
      error: 'Connection reset',
      deliveredAt: null,
      responseStatus: 200,
      responseHeaders: { 'x-kept': 'yes', 'content-length': '9' },
      responseBody: 'half',
    });
  });

  test('before its head is complete has no status', async () => {
    await using api = await startApi();
    await using receiver = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nx-kept: y'));
    await addEndpoint(api, receiver.url);
    const { deliveries } = await cause(api);
    await settle(api);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'pending',
      responseStatus: null,
      responseHeaders: null,
      responseBody: null,
    });
  });
});

describe('Delivery format', () => {
  test('the body is the envelope; the signature covers its raw bytes and the delivery id', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver();
    const endpoint = await addEndpoint(api, receiver.url);
    const { event, deliveries } = await cause(api);
    expect(await settle(api)).toMatchObject({ body: { settled: true, pending: 0, inFlight: 0, nextDueAt: null } });
    const [request] = receiver.received;
    if (!request) throw new Error('Nothing arrived.');
    expect(JSON.parse(request.body)).toEqual(event);
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': deliveries[0].id });
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(request.headers['webhook-signature']).toBe(expectedSignature(endpoint.secret, request));

    // `connection` is about the connection, not about the request.
    const { connection: _connection, ...sent } = request.headers;
    expect(sent).toMatchObject({ host: new URL(receiver.url).host, 'content-length': String(request.body.length) });
    const detail = await deliveryOf(api, deliveries[0].id);
    expect(detail).toEqual({
      id: deliveries[0].id,
      workspaceId: demo.production.id,
      endpointId: endpoint.id,
      eventId: event.id,
      eventType: 'lifecycle.evaluated',
      status: 'success',
      attempt: 1,
      createdAt: event.created,
      deliveredAt: expect.any(String),
      error: null,
      responseStatus: 204,
      responseTimeMs: expect.any(Number),
      nextAttemptAt: null,
      requestBody: event,
      requestHeaders: sent,
      responseBody: '',
      responseHeaders: expect.objectContaining({ 'x-receiver': 'test' }),
      subject: { id: demo.production.id, type: 'workspace' },
    });
  });

  test('a ping goes only to the chosen endpoint, and contains only id, type and created', async () => {
    await using api = await startApi();
    await using addressed = await startReceiver();
    await using other = await startReceiver();
    const { id } = await addEndpoint(api, addressed.url, ['lifecycle.evaluated']);
    await addEndpoint(api, other.url, ['*']);
    const { status, body } = await api.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, as);
    expect({ status, body }).toEqual({ status: 202, body: { ping: { deliveryId: expect.stringMatching(/^whd_/) } } });
    await settle(api);
    expect(other.received).toHaveLength(0);
    const envelope = JSON.parse(addressed.received[0]?.body ?? '');
    expect(envelope).toEqual({ id: expect.stringMatching(/^evt_/), type: 'webhook.ping', created: expect.any(String) });
    const listed = await api.call('GET', '/v1/events?type=webhook.ping', as);
    expect(listed.body.data).toEqual([envelope]);
    expect(await deliveryOf(api, body.ping.deliveryId)).not.toHaveProperty('subject');
  });

  test('both secrets sign during a rotation, the newest first; 24 hours later only the new one signs', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver();
    const { id, secret: old } = await addEndpoint(api, receiver.url);
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const rotated = await api.call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`, as);
    const fresh = rotated.body.secret.secret;
    const signatures = async () => {
      await cause(api);
      await settle(api);
      const request = receiver.received.at(-1);
      if (!request) throw new Error('Nothing arrived.');
      return {
        sent: request.headers['webhook-signature'],
        both: `${expectedSignature(fresh, request)} ${expectedSignature(old, request)}`,
        one: expectedSignature(fresh, request),
      };
    };
    const first = await signatures();
    expect(first.sent).toBe(first.both);
    await advance(api, 'PT23H59M59.999S');
    const before = await signatures();
    expect(before.sent).toBe(before.both);
    await advance(api, 'PT0.001S');
    const after = await signatures();
    expect(after.sent).toBe(after.one);
  });

  test('concurrent rotations all count: 24 hours later only one secret signs', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver();
    const { id } = await addEndpoint(api, receiver.url);
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const rotate = () => api.call('POST', `/v1/webhooks/endpoints/${id}/rotate-secret`, as);
    const rotated = await Promise.all(Array.from({ length: 5 }, rotate));
    expect(rotated.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const signatures = async () => {
      await cause(api);
      await settle(api);
      return receiver.received.at(-1)?.headers['webhook-signature']?.split(' ').length;
    };
    expect(await signatures()).toBe(6);
    await advance(api, 'PT24H');
    expect(await signatures()).toBe(1);
  });
});

describe('Retry schedule', () => {
  test('a receiver that always fails gets 11 attempts at the documented delays, and then the delivery is failed', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver(503);
    await addEndpoint(api, receiver.url);
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const { deliveries } = await cause(api);
    await settle(api);
    const pending = await deliveryOf(api, deliveries[0].id);
    expect(pending).toMatchObject({
      status: 'pending',
      attempt: 1,
      error: 'HTTP 503',
      responseStatus: 503,
      responseBody: 'no',
    });
    expect(Date.parse(pending.nextAttemptAt) - Date.parse(pending.createdAt)).toBe(5 * 60_000);

    expect((await advance(api, 'PT4M59.999S')).ran.attempts).toBe(0);
    expect((await advance(api, 'PT0.001S')).ran.attempts).toBe(1);
    expect((await advance(api, '100h')).ran.attempts).toBe(9);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'failed',
      attempt: 11,
      nextAttemptAt: null,
      deliveredAt: null,
    });
    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('five failed deliveries in a row disable an endpoint, with an event; enabling it restarts the count', async () => {
    await using api = await startApi();
    await using broken = await startReceiver(500);
    await using watcher = await startReceiver();
    const { id } = await addEndpoint(api, broken.url);
    await addEndpoint(api, watcher.url, ['webhook.endpoint.auto_disabled']);
    for (let count = 0; count < 5; count++) await cause(api);
    await advance(api, '100h');
    expect((await api.call('GET', `/v1/webhooks/endpoints/${id}`, as)).body.endpoint.active).toBe(false);
    await settle(api);
    expect(watcher.received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'webhook.endpoint.auto_disabled',
        created: expect.any(String),
        subject: { id, type: 'webhook_endpoint', url: `/v1/webhooks/endpoints/${id}` },
      },
    ]);
    expect((await cause(api)).deliveries).toEqual([{ id: expect.any(String), endpointId: id, status: 'disabled' }]);
    expect((await api.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, as)).status).toBe(409);

    await api.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...as, body: { active: true } });
    await cause(api);
    await advance(api, '100h');
    expect((await api.call('GET', `/v1/webhooks/endpoints/${id}`, as)).body.endpoint.active).toBe(true);
  });
});

describe('Webhook deliveries', () => {
  test('replay creates a new delivery with the same payload, whose event id leads to the original envelope', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver();
    const { id: endpointId } = await addEndpoint(api, receiver.url);
    const { event, deliveries } = await cause(api);
    await settle(api);
    const original = await deliveryOf(api, deliveries[0].id);
    const { status, body } = await api.call('POST', `/v1/webhooks/deliveries/${original.id}/replay`, as);
    expect({ status, body }).toEqual({
      status: 202,
      body: { delivery: { endpointId, id: expect.stringMatching(/^whd_/) } },
    });
    await settle(api);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(body.delivery.id);
    const replay = await deliveryOf(api, body.delivery.id);
    expect(replay).toMatchObject({ status: 'success', attempt: 1, eventType: 'lifecycle.evaluated' });
    expect(replay.eventId).not.toBe(event.id);
    expect((await api.call('GET', `/v1/events/${replay.eventId}`, as)).body).toEqual(event);
    expect((await api.call('GET', '/v1/events', as)).body.data).toEqual([event]);
    expect(await deliveryOf(api, original.id)).toEqual(original);

    await api.call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, as);
    const refused = await api.call('POST', `/v1/webhooks/deliveries/${original.id}/replay`, as);
    expect(refused).toMatchObject({ status: 409, body: failure('CONFLICT', expect.any(String)) });
    expect((await deliveryOf(api, original.id)).status).toBe('success');
  });

  test('a paused endpoint receives nothing, and its pending deliveries become disabled', async () => {
    await using api = await startApi();
    await using receiver = await startReceiver(500);
    const { id } = await addEndpoint(api, receiver.url);
    const { deliveries } = await cause(api);
    await settle(api);
    await api.call('PATCH', `/v1/webhooks/endpoints/${id}`, { ...as, body: { active: false } });
    await advance(api, '5m');
    expect(receiver.received).toHaveLength(1);
    expect(await deliveryOf(api, deliveries[0].id)).toMatchObject({
      status: 'disabled',
      attempt: 1,
      nextAttemptAt: null,
    });
  });

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
    expect((await api.call('GET', '/v1/webhooks/deliveries?status=lost', as)).status).toBe(400);
    expect((await api.call('GET', '/v1/webhooks/deliveries?createdTo=yesterday', as)).status).toBe(400);
  });
});
