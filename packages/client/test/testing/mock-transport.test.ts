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
  responded,
  silent,
  unreachable,
} from '../../src/testing.ts';

const clientOf = ({ baseUrl, fetch }: MockTransport, options: Partial<ClientOptions> = {}) =>
  createClient({ apiKey: 'svc_sk_test_1', baseUrl, fetch, ...options });

describe('the mock transport', () => {
  it('answers an operation as configured, and keeps its requests without the credential', async () => {
    const mock = createMockTransport().on('PATCH /v1/workspaces/{workspaceId}', {
      workspace: fixtures.workspace({ name: 'New' }),
    });
    expect(await clientOf(mock).workspaces.update('wsp_1', { name: 'New' })).toMatchObject({ name: 'New' });
    expect(mock.requests).toEqual([
      {
        route: 'PATCH /v1/workspaces/{workspaceId}',
        method: 'PATCH',
        path: '/v1/workspaces/wsp_1',
        params: { workspaceId: 'wsp_1' },
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

  it('serves pages that link to each other', async () => {
    const [a, b, c] = [
      fixtures.event({ id: 'evt_a' }),
      fixtures.event({ id: 'evt_b' }),
      fixtures.event({ id: 'evt_c' }),
    ];
    const mock = createMockTransport().on('GET /v1/events', pages([a, b], [], [c]));
    expect(await clientOf(mock).events.list().collect({ limit: 10 })).toEqual([a, b, c]);
    expect(mock.requests).toHaveLength(3);
  });

  it('lets a function answer based on the request', async () => {
    const seen: unknown[] = [];
    const mock = createMockTransport()
      .on('PATCH /v1/workspaces/{workspaceId}', ({ params, query, headers, json }) => {
        seen.push(params, query, headers['x-trace']);
        return { workspace: fixtures.workspace({ id: params.workspaceId as `wsp_${string}`, ...given(json()) }) };
      })
      .on('GET /v1/webhooks/deliveries', ({ query, route, method, path, json }) => {
        seen.push(query, [route, method, path, json()]);
        return pages([fixtures.webhookDelivery()]);
      })
      .on('GET /v1/me', async () => Response.json(fixtures.identity(), { status: 203 }));
    const given = ({ name = '' }: { name?: string | undefined }) => ({ name });
    const svc = clientOf(mock);
    const call = svc.workspaces.update('wsp_1 2', { name: 'New' }, { headers: { 'X-Trace': 'abc' } });
    expect(await call).toMatchObject({ id: 'wsp_1 2', name: 'New' });
    expect((await svc.webhooks.deliveries.list({ status: 'failed' })).data).toHaveLength(1);
    expect((await svc.me.retrieve().withResponse()).status).toBe(203);
    expect(seen).toEqual([
      { workspaceId: 'wsp_1 2' },
      {},
      'abc',
      { status: 'failed' },
      ['GET /v1/webhooks/deliveries', 'GET', '/v1/webhooks/deliveries', undefined],
    ]);
  });

  it('responds with another status, and with data that the service would never send', async () => {
    const mock = createMockTransport().on(
      'GET /v1/me',
      responded('<p>', { status: 502 }),
      responded({ odd: 1 }, { status: 200 }),
    );
    const svc = clientOf(mock, { maxRetries: 0 });
    await expect(svc.me.retrieve()).rejects.toMatchObject({ status: 502, code: 'HTTP_502' });
    expect(await svc.me.retrieve()).toEqual({ odd: 1 });
  });

  it('forgets everything when it is reset', async () => {
    const mock = createMockTransport().on('GET /v1/me', fixtures.identity());
    const svc = clientOf(mock);
    await svc.me.retrieve();
    expect(mock.reset()).toBe(mock);
    expect(mock.requests).toEqual([]);
    await expect(svc.me.retrieve()).rejects.toMatchObject({ code: 'NOT_MOCKED' });
    mock.on('GET /v1/me', fixtures.userIdentity());
    expect(await svc.me.retrieve()).toEqual(fixtures.userIdentity());
    expect(mock.requests).toHaveLength(2);
  });

  it('simulates network faults in turn', async () => {
    const mock = createMockTransport().on(
      'GET /v1/me',
      cutOff(),
      unreachable(),
      rateLimited(0),
      silent(),
      fixtures.identity(),
    );
    const { attempts } = await clientOf(mock, { maxRetries: 4, timeoutMs: 500 }).me.retrieve().withResponse();
    expect(attempts).toBe(5);
  });

  it('refuses with the codes of the service', async () => {
    const mock = createMockTransport().on('GET /v1/me', refused('FORBIDDEN', { message: 'No' }));
    await expect(clientOf(mock).me.retrieve()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN', message: 'No' });
  });

  it('throws an error that names a route without a mock', async () => {
    const mock = createMockTransport();
    await expect(clientOf(mock).me.retrieve()).rejects.toMatchObject({
      code: 'NOT_MOCKED',
      message: expect.stringMatching(/on\('GET \/v1\/me'/),
    });
    expect(mock.requests).toHaveLength(1);
  });

  it('distinguishes the route of event types from that of an endpoint', async () => {
    const mock = createMockTransport().on('GET /v1/webhooks/endpoints/event-types', pages([fixtures.eventTypeItem()]));
    expect(await clientOf(mock).webhooks.endpoints.eventTypes().first()).toEqual(fixtures.eventTypeItem());
  });
});

describe('fixtures', () => {
  it('match what the service would send', async () => {
    const validate = { schemas, onInvalid: 'throw' as const };
    const mock = createMockTransport()
      .on('GET /v1/me', fixtures.identity())
      .on('GET /v1/workspaces/{workspaceId}', { workspace: fixtures.workspace() })
      .on('GET /v1/events', pages([fixtures.event()]))
      .on('GET /v1/search', pages([fixtures.searchResult()]))
      .on('GET /v1/webhooks/endpoints/event-types', pages([fixtures.eventTypeItem()]))
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
    await svc.webhooks.endpoints.eventTypes();
    await svc.webhooks.endpoints.list();
    await svc.webhooks.deliveries.list();
    await svc.webhooks.deliveries.retrieve('whd_1');
    await svc.webhooks.endpoints.rotateSecret('whe_1');
    const user = createClient({ accessToken: 'svc_pat_1', baseUrl: mock.baseUrl, fetch: mock.fetch, validate });
    await user.organizations.list();
    const workspaces = [fixtures.embeddedWorkspace()];
    mock.on('GET /v1/organizations', pages([fixtures.organization({ workspaces })]));
    mock.on('GET /v1/me', fixtures.userIdentity());
    await user.organizations.list({ expand: ['workspaces'] });
    await user.me.retrieve();
    expect((await svc.me.retrieve()).credential.kind).toBe('personal_access_token');
  });

  it('have the subject that fits the type of an event', () => {
    expect(fixtures.event().subject.type).toBe('workspace');
    expect(fixtures.event({ type: 'webhook.endpoint.auto_disabled' }).subject?.type).toBe('webhook_endpoint');
    expect(fixtures.event({ type: 'webhook.ping' })).not.toHaveProperty('subject');
    const subject = { id: 'inv_1', type: 'invoice', url: '/v1/invoices/inv_1' };
    expect(fixtures.event({ type: 'invoice.paid', subject })).toMatchObject({ type: 'invoice.paid', subject });
  });

  it('have the identity that matches the type of the client', () => {
    expect(fixtures.identity()).toMatchObject({ user: null, workspace: { role: null } });
    expect(fixtures.userIdentity()).toMatchObject({ user: { name: 'Ada Lovelace' }, workspace: null });
  });
});
