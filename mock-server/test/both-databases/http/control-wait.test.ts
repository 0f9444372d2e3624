import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control, addEndpoint, cause } = controlOf(() => api);

describe('GET /_control/wait and the attempts of a delivery', () => {
  test('waits until a delivery ends, and shows each attempt with its request, answer and times', async () => {
    await using receiver = await startReceiver(503);
    const endpointId = (await addEndpoint(receiver.url, demo.production)).endpoint.id;
    const { event, deliveries } = await cause(demo.production.id);
    const [{ id }] = deliveries;
    const missed = await control(`wait?deliveryId=${id}&timeoutMs=50`);
    expect(missed.status).toBe(408);
    expect(missed.body.deliveries).toMatchObject([{ id, endpointId, status: 'pending' }]);
    await control('settle', {});

    receiver.status = 200;
    const waiting = control(`wait?eventId=${event.id}&status=success`);
    await control('clock', { advance: '5m' });
    expect(await waiting).toMatchObject({
      status: 200,
      body: { deliveries: [{ id, endpointId, status: 'success', attempt: 2 }] },
    });

    const { body } = await control(`deliveries/${id}/attempts`);
    expect(body.attempts).toEqual(
      [503, 200].map((status, index) => ({
        number: index + 1,
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        request: {
          url: receiver.url,
          headers: expect.objectContaining({ 'webhook-id': id }),
          body: event,
          bodyText: JSON.stringify(event),
        },
        response: { status, headers: expect.objectContaining({ 'x-receiver': 'test' }), body: 'no' },
        responseTimeMs: expect.any(Number),
        error: status === 200 ? null : 'HTTP 503',
        late: false,
      })),
    );
  });

  test('waits for all deliveries of an endpoint, or only for those of one event', async () => {
    await using receiver = await startReceiver(204);
    await using broken = await startReceiver(500);
    const endpointId = (await addEndpoint(receiver.url, demo.globex)).endpoint.id;
    const other = (await addEndpoint(broken.url, demo.globex)).endpoint.id;
    const { event } = await cause(demo.globex.id);
    const seen = [expect.objectContaining({ endpointId, status: 'success', attempt: 1 })];
    expect(await control(`wait?endpointId=${endpointId}`)).toMatchObject({ status: 200, body: { deliveries: seen } });
    const both = `wait?eventId=${event.id}&endpointId=${endpointId}`;
    expect(await control(both)).toMatchObject({ status: 200, body: { deliveries: seen } });
    await control('settle', {});
    const missed = await control(`wait?endpointId=${other}&timeoutMs=0`);
    expect(missed).toMatchObject({ status: 408, body: { deliveries: [{ endpointId: other, status: 'pending' }] } });
  });

  test('returns 404 for an unknown id, and 400 for missing or invalid parameters', async () => {
    expect((await control('deliveries/whd_none/attempts')).status).toBe(404);
    expect((await control('wait?deliveryId=whd_none')).status).toBe(404);
    expect((await control('wait?eventId=evt_none')).status).toBe(404);
    expect((await control('wait?endpointId=whe_none')).status).toBe(404);
    for (const query of [
      '',
      'deliveryId=a&eventId=b',
      'deliveryId=a&endpointId=b',
      'deliveryId=a&status=done',
      'deliveryId=a&timeoutMs=-1',
    ]) {
      expect((await control(`wait?${query}`)).status).toBe(400);
    }
  });
});
