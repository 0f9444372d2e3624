import { describe, expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { addEndpoint, advance, as, cause, settle } from '../../support/http/deliveries.ts';
import { expectedSignature, startReceiver } from '../../support/receiver.ts';

describe('Signatures after a rotation', () => {
  test('both secrets sign for 24 hours after a rotation, the new secret first, and then only the new secret signs', async () => {
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
