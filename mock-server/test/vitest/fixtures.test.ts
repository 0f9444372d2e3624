import { createClient } from '@svc/client';
import { describe } from 'vitest';
import { expect, test } from '../../src/vitest/index.ts';

describe('The fixtures', () => {
  const seen = new Set<string>();

  test.for([1, 2])(
    'give each test a workspace and a receiver, and all the same service (%i)',
    async (_n, { service, workspace, receiver }) => {
      const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
      expect((await svc.webhooks.endpoints.list()).data).toEqual([]);
      expect(receiver.requests).toEqual([]);
      const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
      const { event } = await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
      await service.waitForDelivery({ eventId: event.id, status: 'success' });

      expect(receiver).toHaveDelivered('lifecycle.evaluated');
      expect(receiver).toHaveDelivered('lifecycle.evaluated', 1);
      expect(receiver).not.toHaveDelivered('webhook.ping');
      expect(receiver.requests[0]).toBeSignedWith(secret.secret);
      seen.add(`${service.url} ${workspace.workspaceId} ${receiver.url}`);
    },
  );

  test('were the same service and different tenants', () => {
    const all = [...seen].map((text) => text.split(' '));
    expect(all).toHaveLength(2);
    expect(new Set(all.map(([url]) => url)).size).toBe(1);
    expect(new Set(all.map(([, workspaceId]) => workspaceId)).size).toBe(2);
    expect(new Set(all.map(([, , receiverUrl]) => receiverUrl)).size).toBe(2);
  });
});

describe('The matchers', () => {
  const type = 'lifecycle.evaluated';
  const delivery = (id: string, body = JSON.stringify({ type })) => ({
    headers: { 'webhook-id': id },
    body,
    json: () => JSON.parse(body),
  });

  test('count a delivery and its retries once, and say what came instead', () => {
    const receiver = { requests: [delivery('whd_1'), delivery('whd_1'), delivery('whd_2', 'no')] };
    expect(receiver).toHaveDelivered(type, 1);
    expect(() => expect(receiver).toHaveDelivered(type, 2)).toThrow(
      `expected 2 deliveries of ${type}, got 1. The receiver has: ${type}, ${type}, (not JSON)`,
    );
    expect(() => expect({ requests: [] }).toHaveDelivered(type)).toThrow(
      `expected at least one delivery of ${type}, got 0. The receiver has: no requests`,
    );
  });

  test('reject a wrong secret and a changed body', async ({ service, workspace, receiver }) => {
    const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
    const { secret, endpoint } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
    await svc.webhooks.endpoints.sendTestEvent(endpoint.id);
    const request = await receiver.next();
    expect(request).toBeSignedWith(secret.secret);
    expect({ ...request, body: `${request.body} ` }).not.toBeSignedWith(secret.secret);
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64url')}`;
    expect(() => expect(request).toBeSignedWith(other)).toThrow(
      /^expected the request to be signed with this secret: /,
    );
    expect(() => expect(request).not.toBeSignedWith(secret.secret)).toThrow('but it is');
  });

  test('reject what they are not for', () => {
    expect(() => expect(null).toHaveDelivered(type)).toThrow('toHaveDelivered is for a receiver');
    expect(() => expect('text').toBeSignedWith('whsec_x')).toThrow('toBeSignedWith is for a received request');
  });
});
