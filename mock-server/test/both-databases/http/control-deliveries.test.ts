import { createHmac } from 'node:crypto';
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
const key = { credential: demo.production.key };

describe('Deliveries', () => {
  test('are listed for an event', async () => {
    const { event, deliveries } = await cause();
    const listed = (await control(`events/${event.id}/deliveries`)).body.deliveries;
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(
      deliveries.map(({ id }: { id: string }) => id).sort(),
    );
    expect((await control('events/evt_none/deliveries')).status).toBe(404);
  });

  test('list the replays of the same event, and the original', async () => {
    await using receiver = await startReceiver(204);
    const { endpoint } = await addEndpoint(receiver.url);
    const { deliveries } = await cause();
    const original = deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id).id;
    const replay = async (id: string) =>
      (await api.call('POST', `/v1/webhooks/deliveries/${id}/replay`, key)).body.delivery.id;
    const replays = async (id: string) => {
      const { body } = await control(`deliveries/${id}/replays`);
      return [body.original?.id ?? null, ...body.replays.map((one: { id: string }) => one.id)];
    };
    expect(await replays(original)).toEqual([null]);
    const first = await replay(original);
    // The second replay is far in time from the event and from the first one.
    await control('clock', { advance: '3d' });
    // The replay of a replay sends the same event.
    const second = await replay(first);
    expect(await replays(original)).toEqual([null, first, second]);
    expect(await replays(first)).toEqual([original, second]);
    expect(await replays(second)).toEqual([original, first]);
    await control('settle', {});
    expect((await control(`deliveries/${second}/replays`)).body.original).toEqual({
      id: original,
      endpointId: endpoint.id,
      status: 'success',
      attempt: 1,
      createdAt: expect.any(String),
    });
    expect((await control('deliveries/whd_none/replays')).status).toBe(404);
  });

  test('of a replay are found by its own event id', async () => {
    await using receiver = await startReceiver(204);
    const { endpoint } = await addEndpoint(receiver.url);
    const { event, deliveries } = await cause();
    const original = deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id).id;
    const { id } = (await api.call('POST', `/v1/webhooks/deliveries/${original}/replay`, key)).body.delivery;
    const { eventId } = (await api.call('GET', `/v1/webhooks/deliveries/${id}`, key)).body.delivery;
    expect(eventId).not.toBe(event.id);
    const waited = await control(`wait?eventId=${eventId}&status=success`);
    expect([waited.status, waited.body.deliveries]).toEqual([200, [expect.objectContaining({ id })]]);
    expect((await control(`events/${eventId}/deliveries`)).body.deliveries).toEqual([expect.objectContaining({ id })]);
  });

  test('can be signed again, with the real time and over the exact body', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint, secret } = await addEndpoint(receiver.url);
    await control('clock', { advance: '1h' });
    const { deliveries } = await cause();
    const { id } = deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id);
    const { status, body } = await control(`deliveries/${id}/signature`, {});
    expect(status).toBe(200);
    expect(body.url).toBe(receiver.url);
    const timestamp = body.headers['webhook-timestamp'];
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const signingKey = Buffer.from(secret.secret.replace('whsec_', ''), 'base64url');
    const expected = createHmac('sha256', signingKey).update(`${id}.${timestamp}.${body.body}`).digest('base64');
    expect(body.headers['webhook-signature']).toBe(`v1,${expected}`);
    await control('settle', {});
    const { attempts } = (await control(`deliveries/${id}/attempts`)).body;
    expect(attempts[0].request.bodyText).toBe(body.body);
    await api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`, key);
    expect((await control(`deliveries/${id}/signature`, {})).status).toBe(409);
    expect((await control('deliveries/whd_none/signature', {})).status).toBe(404);
  });
});
