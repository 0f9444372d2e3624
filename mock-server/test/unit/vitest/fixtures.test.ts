import { subscribe } from 'node:diagnostics_channel';
import { createClient } from '@svc/client';
import { createWebhooks } from '@svc/webhooks';
import { beforeEach, describe } from 'vitest';
import { expect, test } from '../../../src/vitest/index.ts';

const order: string[] = [];
subscribe('tracing:net.server.listen:asyncEnd', () => order.push('a server listens'));
beforeEach(() => void order.push('a test begins'));

describe('The fixtures', () => {
  test('start the service before the time limit of the first test runs', ({ service }) => {
    expect(service.url).toMatch(/^http:/);
    expect(order.slice(0, order.indexOf('a test begins'))).toContain('a server listens');
  });

  const seen = new Set<string>();

  test.for([1, 2])(
    'give each test a new workspace and receiver, and all tests the same service (%i)',
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

  test('use the same service and different tenants', () => {
    const all = [...seen].map((text) => text.split(' '));
    expect(all).toHaveLength(2);
    expect(new Set(all.map(([url]) => url)).size).toBe(1);
    expect(new Set(all.map(([, workspaceId]) => workspaceId)).size).toBe(2);
    expect(new Set(all.map(([, , receiverUrl]) => receiverUrl)).size).toBe(2);
  });
});

test("a receiver passes deliveries to the customer's own handler", async ({ service, workspace, receiver }) => {
  const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  let known = `whsec_${Buffer.alloc(32, 7).toString('base64url')}`;
  const handled: string[] = [];
  const webhooks = createWebhooks({ secrets: () => known, onReject: () => {} });
  webhooks.on('lifecycle.evaluated', (event) => void handled.push(event.id));
  receiver.forward(webhooks.fetch);

  const { event, deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
  await service.waitForIdle();
  const { attempts } = await service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
  expect(attempts).toMatchObject([{ response: { status: 401 } }]);
  known = secret.secret;
  await service.clock.advance('5m');
  await service.waitForDelivery({ eventId: event.id, status: 'success' });
  expect(handled).toEqual([event.id]);
});

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

  test('reject values of other types', () => {
    expect(() => expect(null).toHaveDelivered(type)).toThrow('toHaveDelivered requires a receiver');
    expect(() => expect('text').toBeSignedWith('whsec_x')).toThrow('toBeSignedWith requires a received request');
  });
});
