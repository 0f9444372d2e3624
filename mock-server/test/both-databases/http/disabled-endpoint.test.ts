import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { addEndpoint, advance, as, cause, settle } from '../../support/http/deliveries.ts';
import { startReceiver } from '../../support/receiver.ts';

describe('An endpoint whose deliveries fail', () => {
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
