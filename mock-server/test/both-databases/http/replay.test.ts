import { describe, expect, test } from 'vitest';
import { failure, startApi } from '../../support/api.ts';
import { addEndpoint, as, cause, deliveryOf, settle } from '../../support/http/deliveries.ts';
import { startReceiver } from '../../support/receiver.ts';

describe('A replay', () => {
  test('creates a new delivery with the same payload, and with an event id that leads to the original envelope', async () => {
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
});
