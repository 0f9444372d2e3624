import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { addEndpoint, as, cause, deliveryOf, settle } from '../../support/http/deliveries.ts';
import { expectedSignature, startReceiver } from '../../support/receiver.ts';

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
});
