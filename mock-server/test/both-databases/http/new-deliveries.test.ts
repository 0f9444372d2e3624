import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

const as = { credential: demo.production.key };

describe('States and transitions: webhook delivery status, (new)', () => {
  test('a matching event, a test ping and a replay each create a pending delivery with attempt 0', async () => {
    await using receiver = await startReceiver();
    // This node makes no attempts, so the rows stay as they were created.
    await using api = await startApi({ roles: ['api'] });
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body;
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    const caused = (await api.call('POST', '/_control/events', { body: event })).body.deliveries[0].id;
    const ping = await api.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/send-test-event`, as);
    const replay = await api.call('POST', `/v1/webhooks/deliveries/${caused}/replay`, as);
    for (const id of [caused, ping.body.ping.deliveryId, replay.body.delivery.id]) {
      const { delivery } = (await api.call('GET', `/v1/webhooks/deliveries/${id}`, as)).body;
      expect(delivery).toMatchObject({
        status: 'pending',
        attempt: 0,
        deliveredAt: null,
        error: null,
        nextAttemptAt: delivery.createdAt,
        requestBody: null,
        requestHeaders: null,
        responseStatus: null,
        responseTimeMs: null,
      });
    }
    expect(receiver.received).toEqual([]);
  });

  test('if the endpoint is disabled, an event creates a disabled delivery, and a ping and a replay create no delivery', async () => {
    await using receiver = await startReceiver();
    await using api = await startApi();
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body;
    await api.call('PATCH', `/v1/webhooks/endpoints/${endpoint.id}`, { ...as, body: { active: false } });
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    const [{ id, status }] = (await api.call('POST', '/_control/events', { body: event })).body.deliveries;
    expect(status).toBe('disabled');
    expect((await api.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/send-test-event`, as)).status).toBe(409);
    expect((await api.call('POST', `/v1/webhooks/deliveries/${id}/replay`, as)).status).toBe(409);
    const { data } = (await api.call('GET', '/v1/webhooks/deliveries', as)).body;
    expect(data).toMatchObject([{ id, status: 'disabled', attempt: 0 }]);
    expect(receiver.received).toEqual([]);
  });
});
