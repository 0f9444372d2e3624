import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { addEndpoint, advance, as, cause, deliveryOf, settle } from '../../support/http/deliveries.ts';
import { startReceiver } from '../../support/receiver.ts';

describe('PATCH with active: false', () => {
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
});
