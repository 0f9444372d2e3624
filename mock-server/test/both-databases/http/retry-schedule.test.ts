import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { addEndpoint, advance, cause, deliveryOf, settle } from '../../support/http/deliveries.ts';
import { startReceiver } from '../../support/receiver.ts';

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
});
