import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockService, startMockService } from '../../../src/testing/index.ts';
import { subscribe } from '../../support/subscribed.ts';

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service.close());

const subscribed = () => subscribe(service);

describe('service.requests()', () => {
  test('lists the requests to the API, newest first, also more than fit on a page', async () => {
    const { svc, workspaceId } = await subscribed();
    for (let call = 0; call < 101; call++) await svc.me.retrieve();
    const requests = await service.requests({ workspaceId });
    expect(requests.map(({ operation }) => operation)).toEqual([
      ...Array(101).fill('retrieveIdentity'),
      'createWebhookEndpoint',
    ]);
    expect(requests.flatMap(({ ignored }) => ignored)).toEqual([]);
  });

  test('with ignored, lists those with unknown fields or parameters', async () => {
    const { apiKey, workspaceId } = await subscribed();
    // The client's types refuse such a parameter.
    await fetch(`${service.url}/v1/events?createdAfter=1`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await service.requests({ workspaceId, ignored: true })).toMatchObject([
      { operation: 'listEvents', ignored: ['query.createdAfter'] },
    ]);
    expect(await service.requests({ workspaceId, ignored: false })).toMatchObject([
      { operation: 'createWebhookEndpoint', ignored: [] },
    ]);
  });
});
