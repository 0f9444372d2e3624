import { controlOperations } from '@svc/contract/control';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const control = (path: string, body?: unknown) =>
  api.call(body === undefined ? 'GET' : 'POST', `/_control/${path}`, body === undefined ? {} : { body });

async function addEndpoint(url: string, workspace: { id: string; key: string }): Promise<string> {
  const body = { url, subscribedEvents: ['lifecycle.*'] };
  return (await api.call('POST', '/v1/webhooks/endpoints', { credential: workspace.key, body })).body.endpoint.id;
}
const cause = async (workspaceId: string) =>
  (await control('events', { workspaceId, type: 'lifecycle.evaluated' })).body;

describe('GET /_control/wait and the attempts of a delivery', () => {
  test('waits until a delivery ends, and shows each attempt with its request, answer and times', async () => {
    await using receiver = await startReceiver(503);
    const endpointId = await addEndpoint(receiver.url, demo.production);
    const { event, deliveries } = await cause(demo.production.id);
    const [{ id }] = deliveries;
    const missed = await control(`wait?deliveryId=${id}&timeoutMs=50`);
    expect(missed.status).toBe(408);
    expect(missed.body.deliveries).toMatchObject([{ id, endpointId, status: 'pending' }]);
    await control('settle', {});

    receiver.status = 200;
    const waiting = control(`wait?eventId=${event.id}&status=success`);
    await control('clock', { advance: '5m' });
    expect(await waiting).toMatchObject({
      status: 200,
      body: { deliveries: [{ id, endpointId, status: 'success', attempt: 2 }] },
    });

    const { body } = await control(`deliveries/${id}/attempts`);
    expect(body.attempts).toEqual(
      [503, 200].map((status, index) => ({
        number: index + 1,
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        request: {
          url: receiver.url,
          headers: expect.objectContaining({ 'webhook-id': id }),
          body: event,
          bodyText: JSON.stringify(event),
        },
        response: { status, headers: expect.objectContaining({ 'x-receiver': 'test' }), body: 'no' },
        responseTimeMs: expect.any(Number),
        error: status === 200 ? null : 'HTTP 503',
        late: false,
      })),
    );
  });

  test('waits for all deliveries of an endpoint, or only for those of one event', async () => {
    await using receiver = await startReceiver(204);
    await using broken = await startReceiver(500);
    const endpointId = await addEndpoint(receiver.url, demo.globex);
    const other = await addEndpoint(broken.url, demo.globex);
    const { event } = await cause(demo.globex.id);
    const seen = [expect.objectContaining({ endpointId, status: 'success', attempt: 1 })];
    expect(await control(`wait?endpointId=${endpointId}`)).toMatchObject({ status: 200, body: { deliveries: seen } });
    const both = `wait?eventId=${event.id}&endpointId=${endpointId}`;
    expect(await control(both)).toMatchObject({ status: 200, body: { deliveries: seen } });
    await control('settle', {});
    const missed = await control(`wait?endpointId=${other}&timeoutMs=0`);
    expect(missed).toMatchObject({ status: 408, body: { deliveries: [{ endpointId: other, status: 'pending' }] } });
  });

  test('returns 404 for an unknown id, and 400 for missing or invalid parameters', async () => {
    expect((await control('deliveries/whd_none/attempts')).status).toBe(404);
    expect((await control('wait?deliveryId=whd_none')).status).toBe(404);
    expect((await control('wait?eventId=evt_none')).status).toBe(404);
    expect((await control('wait?endpointId=whe_none')).status).toBe(404);
    for (const query of [
      '',
      'deliveryId=a&eventId=b',
      'deliveryId=a&endpointId=b',
      'deliveryId=a&status=done',
      'deliveryId=a&timeoutMs=-1',
    ]) {
      expect((await control(`wait?${query}`)).status).toBe(400);
    }
  });
});

describe('GET /_control/notifications', () => {
  test('lists the notifications about a disabled endpoint, by user and in pages', async () => {
    await using receiver = await startReceiver(500);
    const endpointId = await addEndpoint(receiver.url, demo.staging);
    for (let count = 0; count < 5; count++) await cause(demo.staging.id);
    await control('clock', { advance: '4d' });
    const { body } = await control('notifications');
    expect(body.data.length).toBeGreaterThan(0);
    for (const item of body.data) {
      expect(item).toEqual({
        id: expect.stringMatching(/^ntf_/),
        userId: expect.stringMatching(/^usr_/),
        workspaceId: demo.staging.id,
        type: 'webhook.endpoint.auto_disabled',
        endpointId,
        createdAt: expect.any(String),
        readAt: null,
      });
    }
    const [{ userId }] = body.data;
    const own = await control(`notifications?userId=${userId}`);
    expect(own.body.data).toEqual(body.data.filter((item: { userId: string }) => item.userId === userId));
    expect((await control('notifications?userId=usr_none')).body.data).toEqual([]);
    const first = await control('notifications?limit=1');
    const second = await api.call('GET', first.body.nextPageUrl);
    expect([...first.body.data, ...second.body.data]).toEqual(body.data.slice(0, 2));
    expect((await control('notifications?limit=0')).status).toBe(400);
  });
});

describe('GET /_control/requests', () => {
  test('lists the requests to the API, newest first, with every credential redacted', async () => {
    await api.call('GET', '/v1/me', { credential: demo.owner });
    const last = await api.call('GET', `/v1/search?q=${demo.viewer}`, { credential: 'svc_sk_unknown' });
    const { body } = await control('requests?limit=2');
    expect(body.data).toEqual([
      {
        id: last.headers.get('service-request-id'),
        receivedAt: expect.any(String),
        method: 'GET',
        url: '/v1/search?q=svc_[redacted]',
        headers: expect.objectContaining({ authorization: '[redacted]' }),
        status: 401,
        durationMs: expect.any(Number),
        operation: 'search',
        credentialId: null,
        workspaceId: null,
        faultId: null,
        ignored: [],
        requestBody: null,
        responseBody: expect.stringContaining('UNAUTHENTICATED'),
      },
      expect.objectContaining({ method: 'GET', url: '/v1/me', status: 200 }),
    ]);
    const next = await api.call('GET', body.nextPageUrl);
    expect(next.body.data.map(({ id }: { id: string }) => id)).not.toContain(body.data[1].id);
    expect(JSON.stringify([body, next.body])).not.toContain(demo.owner);
    expect((await control('requests?page=x')).status).toBe(400);
  });

  test('redacts headers that carry credentials, and shows all others', async () => {
    const hidden = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-auth-token', 'x-csrf-token'];
    const shown = ['x-request-id', 'idempotency-key', 'service-workspace-id'];
    const headers = Object.fromEntries([...hidden, ...shown].map((name) => [name, `Basic c2VjcmV0 ${name}`]));
    await api.call('GET', '/v1/%73vc_sk_c2VjcmV0', { headers });
    const [request] = (await control('requests?limit=1')).body.data;
    expect(request.url).toBe('/v1/svc_[redacted]');
    for (const name of hidden) expect(request.headers[name]).toBe('[redacted]');
    for (const name of shown) expect(request.headers[name]).toBe(headers[name]);
  });

  test('redacts the user info of URLs in headers, and shows the rest of them', async () => {
    await api.call('GET', '/v1/me', { headers: { referer: 'http://ada:pass@app.test/page?id=1' } });
    const [request] = (await control('requests?limit=1')).body.data;
    expect(request.headers.referer).toBe('http://[redacted]@app.test/page?id=1');
  });
});

describe('GET /_control/openapi.json', () => {
  test('describes every call of the control API and its schemas', async () => {
    const { status, body } = await control('openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    const calls = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const table = Object.values(controlOperations).map(({ method, path }) => `${method} ${path}`);
    expect(calls.sort()).toEqual(table.sort());
    const inItself = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
      String(path).split('/'),
    );
    for (const path of inItself)
      expect(
        path.reduce((at, key) => at?.[key], body),
        path.join('/'),
      ).toBeDefined();
    const create = body.paths['/_control/users'].post;
    expect(create.tags).toEqual(['Users and members']);
    expect(create.operationId).toBe('createUser');
    expect(create.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['email', 'name'],
      additionalProperties: false,
    });
  });
});
