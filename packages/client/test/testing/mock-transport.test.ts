import { describe, expect, it } from 'vitest';
import { type ClientOptions, createClient } from '../../src/index.ts';
import { schemas } from '../../src/schemas.ts';
import {
  createMockTransport,
  cutOff,
  fixtures,
  type MockTransport,
  pages,
  rateLimited,
  refused,
  silent,
  unreachable,
} from '../../src/testing.ts';

const clientOf = ({ baseUrl, fetch }: MockTransport, options: Partial<ClientOptions> = {}) =>
  createClient({ apiKey: 'svc_sk_test_1', baseUrl, fetch, ...options });

describe('the mock transport', () => {
  it('answers an operation as it was told, and keeps what it was asked without the credential', async () => {
    const mock = createMockTransport().on('PATCH /v1/workspaces/{workspaceId}', {
      workspace: fixtures.workspace({ name: 'New' }),
    });
    expect(await clientOf(mock).workspaces.update('wsp_1', { name: 'New' })).toMatchObject({ name: 'New' });
    expect(mock.requests).toEqual([
      {
        route: 'PATCH /v1/workspaces/{workspaceId}',
        method: 'PATCH',
        path: '/v1/workspaces/wsp_1',
        query: {},
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': expect.stringMatching(/^svc-client\//),
        },
        body: { name: 'New' },
      },
    ]);
  });

  it('uses the status that the operation documents', async () => {
    const created = { endpoint: fixtures.webhookEndpoint(), secret: fixtures.webhookSecret() };
    const mock = createMockTransport().on('POST /v1/webhooks/endpoints', created);
    const body = { url: 'https://a.example', subscribedEvents: ['*'] };
    const { status, data } = await clientOf(mock).webhooks.endpoints.create(body).withResponse();
    expect([status, data]).toEqual([201, created]);
  });

  it('serves pages that lead to each other', async () => {
    const [a, b, c] = (['evt_a', 'evt_b', 'evt_c'] as const).map((id) => fixtures.event({ id }));
    const mock = createMockTransport().on('GET /v1/events', pages([a, b], [], [c]));
    expect(await clientOf(mock).events.list().collect({ limit: 10 })).toEqual([a, b, c]);
    expect(mock.requests).toHaveLength(3);
  });

  it('stages what networks do, in turn', async () => {
    const mock = createMockTransport().on(
      'GET /v1/me',
      cutOff(),
      unreachable(),
      rateLimited(0),
      silent(),
      fixtures.identity(),
    );
    const { attempts } = await clientOf(mock, { maxRetries: 4, timeoutMs: 20 }).me.retrieve().withResponse();
    expect(attempts).toBe(5);
  }, 20_000);

  it('refuses with the codes of the service', async () => {
    const mock = createMockTransport().on('GET /v1/me', refused('FORBIDDEN', { message: 'No' }));
    await expect(clientOf(mock).me.retrieve()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN', message: 'No' });
  });

  it('says what it was not told', async () => {
    const mock = createMockTransport();
    await expect(clientOf(mock).me.retrieve()).rejects.toMatchObject({
      code: 'NOT_MOCKED',
      message: expect.stringMatching(/on\('GET \/v1\/me'/),
    });
    expect(mock.requests).toHaveLength(1);
  });

  it('tells the event types from an endpoint', async () => {
    const mock = createMockTransport().on('GET /v1/webhooks/endpoints/event-types', pages([fixtures.eventTypeItem()]));
    expect(await clientOf(mock).webhooks.endpoints.eventTypes().first()).toEqual(fixtures.eventTypeItem());
  });
});

describe('fixtures', () => {
  it('are what the service would send', async () => {
    const validate = { schemas, onInvalid: 'throw' as const };
    const mock = createMockTransport()
      .on('GET /v1/me', fixtures.identity())
      .on('GET /v1/workspaces/{workspaceId}', { workspace: fixtures.workspace() })
      .on('GET /v1/events', pages([fixtures.event()]))
      .on('GET /v1/search', pages([fixtures.searchResult()]))
      .on('GET /v1/webhooks/event-types', pages([fixtures.eventTypeItem()]))
      .on('GET /v1/webhooks/endpoints', pages([fixtures.webhookEndpoint()]))
      .on('GET /v1/webhooks/deliveries', pages([fixtures.webhookDelivery()]))
      .on('GET /v1/webhooks/deliveries/{deliveryId}', { delivery: fixtures.webhookDeliveryDetail() })
      .on('POST /v1/webhooks/endpoints/{endpointId}/rotate-secret', { secret: fixtures.webhookSecret() })
      .on('GET /v1/organizations', pages([fixtures.organization()]));
    const svc = clientOf(mock, { validate });
    await svc.me.retrieve();
    await svc.workspaces.retrieve('wsp_1');
    await svc.events.list();
    await svc.search({ q: 'ada' });
    await svc.webhooks.eventTypes();
    await svc.webhooks.endpoints.list();
    await svc.webhooks.deliveries.list();
    await svc.webhooks.deliveries.retrieve('whd_1');
    await svc.webhooks.endpoints.rotateSecret('whe_1');
    const user = createClient({ accessToken: 'svc_pat_1', baseUrl: mock.baseUrl, fetch: mock.fetch, validate });
    await user.organizations.list();
  });
});
