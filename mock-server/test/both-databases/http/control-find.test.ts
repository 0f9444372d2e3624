import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control, addEndpoint, cause } = controlOf(() => api);
const key = { credential: demo.production.key };

describe('GET /_control/find', () => {
  const find = (id: string) => control(`find?id=${encodeURIComponent(id)}`);

  test('finds what any id belongs to', async () => {
    const { endpoint, secret } = await addEndpoint('http://127.0.0.1:9/');
    const { event, deliveries } = await cause();
    const made = await control('credentials', { kind: 'api_key', workspaceId: demo.staging.id });
    const imported = `/_control/workspaces/${demo.staging.id}/profiles`;
    await api.call('PUT', imported, { body: [{ externalId: 'found' }] });
    const { data: profiles } = (await api.call('GET', imported)).body;
    const inProduction = { organizationId: null, workspaceId: demo.production.id, parentId: null };
    const expected: [string, object][] = [
      [demo.acmeId, { type: 'organization', organizationId: demo.acmeId }],
      [demo.production.id, { type: 'workspace', organizationId: demo.acmeId }],
      ['usr_01DEM0000000000000000WNER0', { type: 'user' }],
      [endpoint.id, { type: 'webhook_endpoint', ...inProduction }],
      [secret.id, { type: 'webhook_secret', ...inProduction, parentId: endpoint.id }],
      [deliveries[0].id, { type: 'webhook_delivery', ...inProduction }],
      [event.id, { type: 'event', ...inProduction }],
      [profiles[0].id, { type: 'profile', workspaceId: demo.staging.id }],
      [made.body.id, { type: 'api_key', workspaceId: demo.staging.id }],
    ];
    for (const [id, place] of expected) expect((await find(id)).body).toMatchObject({ id, ...place });
  });

  test('finds a finished evaluation and its workspace', async () => {
    const started = await control(`workspaces/${demo.staging.id}/evaluate`, {});
    expect(started.status).toBeLessThan(300);
    const { data } = (await control(`workspaces/${demo.staging.id}/evaluations`)).body;
    const [{ id }] = data;
    expect(id).toMatch(/^evl_/);
    expect((await find(id)).body).toEqual({
      id,
      type: 'evaluation',
      organizationId: null,
      workspaceId: demo.staging.id,
      parentId: null,
    });
  });

  test('finds a fault until it ends', async () => {
    const { fault } = (await control('faults', { target: 'delivery', effect: { status: 500 } })).body;
    expect((await find(fault.id)).body).toMatchObject({ id: fault.id, type: 'fault', workspaceId: null });
    await api.call('DELETE', `/_control/faults/${fault.id}`);
    expect((await find(fault.id)).status).toBe(404);
  });

  test('finds a request by its id', async () => {
    const { headers } = await api.call('GET', '/v1/me', key);
    const id = headers.get('Service-Request-Id') ?? '';
    expect((await find(id)).body).toMatchObject({ id, type: 'request' });
  });

  test('returns 404 for an unknown id, and 400 without an id', async () => {
    for (const id of [
      'whd_none',
      'org_none',
      'evl_none',
      'flt_none',
      'nothing',
      "'; drop table users; --",
      '__proto__',
    ]) {
      expect((await find(id)).status).toBe(404);
    }
    expect((await control('find')).status).toBe(400);
  });
});
