import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control } = controlOf(() => api);

describe('GET /_control/requests', () => {
  test('lists the requests to the API, newest first, with every credential redacted', async () => {
    // The earlier of these requests is on the second page.
    for (let count = 0; count < 2; count++) await api.call('GET', '/v1/me', { credential: demo.owner });
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

  test('redacts the admin token, wherever it is', async () => {
    const adminToken = 'a-token-of-at-least-32-characters-x1';
    const headers = { authorization: `Bearer ${adminToken}` };
    await using guarded = await startApi({ adminToken });
    const misplaced = { credential: demo.production.key, headers: { 'x-custom': adminToken } };
    await guarded.call('POST', `/v1/search?q=${adminToken}`, { ...misplaced });
    const body = { name: 'Main', [adminToken]: adminToken };
    await guarded.call('PATCH', `/v1/workspaces/${demo.production.id}?${adminToken}=1`, { ...misplaced, body });
    const { body: listed } = await guarded.call('GET', '/_control/requests', { headers });
    const text = JSON.stringify(listed);
    expect(text).not.toContain(adminToken);
    expect(listed.data[0]).toMatchObject({
      url: `/v1/workspaces/${demo.production.id}?[redacted]=1`,
      headers: { 'x-custom': '[redacted]' },
      ignored: ['body.%5Bredacted%5D', 'query.%5Bredacted%5D'],
      requestBody: '{"name":"Main","[redacted]":"[redacted]"}',
    });
    expect(listed.data[1].url).toBe('/v1/search?q=[redacted]');
  });

  test('redacts the user info of URLs in headers, and shows the rest of them', async () => {
    await api.call('GET', '/v1/me', { headers: { referer: 'http://ada:pass@app.test/page?id=1' } });
    const [request] = (await control('requests?limit=1')).body.data;
    expect(request.headers.referer).toBe('http://[redacted]@app.test/page?id=1');
  });

  test('lists no request from before a reset, and all of them after a refused reset', async () => {
    const { headers } = await api.call('GET', '/v1/me', { credential: demo.owner });
    const id = headers.get('service-request-id');
    expect((await control('reset', { seed: { organizations: 5 } })).status).toBe(400);
    expect((await control('requests?limit=1')).body.data).toMatchObject([{ id }]);
    expect((await control('reset', {})).status).toBe(200);
    expect((await control('requests')).body.data).toEqual([]);
    expect((await control(`find?id=${id}`)).status).toBe(404);
  });
});
