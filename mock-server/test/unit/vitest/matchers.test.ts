import { createClient } from '@svc/client';
import { describe } from 'vitest';
import { expect, test } from '../../../src/vitest/index.ts';

describe('The matchers', () => {
  const type = 'lifecycle.evaluated';
  const delivery = (id: string, body = JSON.stringify({ type })) => ({
    headers: { 'webhook-id': id },
    body,
    json: () => JSON.parse(body),
  });

  test('count a delivery and its retries once, and report what arrived instead', () => {
    const receiver = { requests: [delivery('whd_1'), delivery('whd_1'), delivery('whd_2', 'no')] };
    expect(receiver).toHaveDelivered(type, 1);
    expect(() => expect(receiver).toHaveDelivered(type, 2)).toThrow(
      `expected 2 deliveries of ${type}, got 1. The receiver has: ${type}, ${type}, (not JSON)`,
    );
    expect(() => expect({ requests: [] }).toHaveDelivered(type)).toThrow(
      `expected at least one delivery of ${type}, got 0. The receiver has: no requests`,
    );
    expect(() => expect(receiver).not.toHaveDelivered(type)).toThrow(`expected no deliveries of ${type}, got 1.`);
    expect(() => expect(receiver).not.toHaveDelivered(type, 1)).toThrow(
      `expected a number other than 1 delivery of ${type}, got 1.`,
    );
  });

  test('reject a wrong secret and a changed body', async ({ service, workspace, receiver }) => {
    const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
    const { secret, endpoint } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
    await svc.webhooks.endpoints.sendTestEvent(endpoint.id);
    const request = await receiver.next();
    expect(request).toBeSignedWith(secret.secret);
    expect(request).toBeSignedWith(secret);
    expect({ ...request, body: `${request.body} ` }).not.toBeSignedWith(secret.secret);
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64url')}`;
    expect(() => expect(request).toBeSignedWith(other)).toThrow(
      /^expected the request to be signed with this secret: /,
    );
    expect(() => expect(request).not.toBeSignedWith(secret.secret)).toThrow('but the signature is valid');
  });

  test('reject values of other types', () => {
    expect(() => expect(null).toHaveDelivered(type)).toThrow('toHaveDelivered requires a receiver');
    expect(() => expect('text').toBeSignedWith('whsec_x')).toThrow('toBeSignedWith requires a received request');
    for (const secret of ['x', { secret: 'x' }]) {
      expect(() => expect(delivery('whd_1')).not.toBeSignedWith(secret)).toThrow('requires a signing secret');
    }
    const request = new Request('http://127.0.0.1/', { method: 'POST', body: '{}' });
    expect(() => expect(request).not.toBeSignedWith('whsec_x')).toThrow('toBeSignedWith requires a received request');
  });
});
