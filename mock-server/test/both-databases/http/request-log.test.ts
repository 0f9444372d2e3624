import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const key = { credential: demo.production.key };
const listed = async (query: string, on = api) => (await on.call('GET', `/_control/requests?${query}`)).body.data;

test('a request is listed with its operation, credential, workspace and bodies, secrets redacted', async () => {
  const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'], description: 'svc_sk_test_pasted_by_mistake' };
  const { body: made } = await api.call('POST', '/v1/webhooks/endpoints', { ...key, body });
  const [request] = await listed('method=POST&path=/v1/webhooks');
  expect(request).toMatchObject({
    method: 'POST',
    status: 201,
    operation: 'createWebhookEndpoint',
    credentialId: expect.stringMatching(/^key_/),
    workspaceId: demo.production.id,
    faultId: null,
  });
  expect(JSON.parse(request.requestBody)).toEqual({ ...body, description: 'svc_[redacted]' });
  expect(JSON.parse(request.responseBody)).toMatchObject({
    endpoint: { id: made.endpoint.id },
    secret: { secret: 'whsec_[redacted]' },
  });
});

test('of a request with many headers, the first hundred are kept', async () => {
  const headers = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x-${index}`, 'value']));
  await api.call('GET', '/v1/me?many', { ...key, headers });
  const [request] = await listed('path=/v1/me');
  expect(Object.keys(request.headers)).toHaveLength(100);
});

test('a request is found by its id', async () => {
  await api.call('GET', '/v1/me', key);
  const [request] = await listed('path=/v1/me');
  expect((await api.call('GET', `/_control/requests/${request.id}`)).body).toEqual({ request });
  const { status, body } = await api.call('GET', '/_control/requests/01M8NONE');
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('refused requests are listed with what is known about them', async () => {
  await api.call('GET', '/v1/nothing', key);
  await api.call('GET', '/v1/me', { credential: 'svc_sk_test_unknown' });
  expect(await listed('status=404')).toMatchObject([{ operation: null, credentialId: null }]);
  const [refused] = await listed('status=401');
  expect(refused).toMatchObject({ operation: 'retrieveIdentity', credentialId: null, workspaceId: null });
  expect(JSON.parse(refused.responseBody)).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
  expect((await listed('status=4xx')).length).toBeGreaterThanOrEqual(2);
});

test('filters narrow the list, and also apply to its pages', async () => {
  await api.call('GET', '/v1/webhooks/event-types', { credential: demo.staging.key });
  const inStaging = await listed(`workspaceId=${demo.staging.id}`);
  expect(inStaging).toHaveLength(1);
  expect(await listed(`credentialId=${inStaging[0].credentialId}`)).toEqual(inStaging);
  expect(await listed('method=PATCH')).toEqual([]);
  for (let call = 0; call < 3; call++) await api.call('GET', '/v1/me', key);
  const first = await api.call('GET', '/_control/requests?limit=2&path=/v1/me&status=2xx');
  const second = await api.call('GET', first.body.nextPageUrl);
  expect([...first.body.data, ...second.body.data].every(({ url }) => url === '/v1/me')).toBe(true);
  for (const query of ['status=all', 'status=6xx', 'method=BREW']) {
    expect((await api.call('GET', `/_control/requests?${query}`)).status).toBe(400);
  }
});

test('a request that met a fault names it', async () => {
  await using own = await startApi({ rateLimit: false });
  const fault = { target: 'api', effect: { status: 503 }, times: 1 };
  const { body } = await own.call('POST', '/_control/faults', { body: fault });
  await own.call('GET', '/v1/me', key);
  await own.call('GET', '/v1/me', key);
  expect(await listed('', own)).toMatchObject([
    { status: 200, faultId: null },
    { status: 503, faultId: body.fault.id },
  ]);
});

test('a request that met a fault keeps its operation, its credential and its workspace', async () => {
  await using own = await startApi({ rateLimit: false });
  const endpoints = '/v1/webhooks/endpoints/whe_01DEM00000000000000000000X';
  await own.call('GET', endpoints, key);
  await own.call('POST', '/_control/faults', { body: { target: 'api', effect: { status: 503 } } });
  await own.call('GET', endpoints, key);
  await own.call('GET', '/v1/nowhere', { credential: 'svc_sk_test_unknown' });
  const [nowhere, struck, before] = await listed('', own);
  expect(before).toMatchObject({ status: 404, operation: expect.any(String), workspaceId: demo.production.id });
  const { operation, credentialId, workspaceId } = before;
  expect(struck).toMatchObject({ status: 503, operation, credentialId, workspaceId });
  expect(await listed(`workspaceId=${workspaceId}&status=5xx`, own)).toEqual([struck]);
  expect(nowhere).toMatchObject({ status: 503, operation: null, credentialId: null, workspaceId: null });
});

/** Sends a description that is too long. Returns the request's body as the log shows it. */
async function loggedBodyWith(description: string): Promise<string> {
  const body = { description, url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
  expect((await api.call('POST', '/v1/webhooks/endpoints', { ...key, body })).status).toBe(400);
  return (await listed('method=POST&status=400'))[0].requestBody;
}

test('only the first 16,384 characters of a long body are kept', async () => {
  expect(await loggedBodyWith('x'.repeat(40_000))).toHaveLength(16 * 1024);
});

test('a password in a URL is removed even if the URL continues after the kept part of the body', async () => {
  const start = 'x'.repeat(16 * 1024 - 36);
  const logged = await loggedBodyWith(`${start} http://user:hunter2@x.test/`);
  expect(logged).toContain(' http://');
  expect(logged).not.toContain('hunter2');
});

test('a password in a URL is removed even if other credentials fill most of the body', async () => {
  // Without these secrets, the beginning of the body is 4 characters shorter than the part that is dropped at its end.
  const secrets = `${`whsec_${'a'.repeat(1_034)} `.repeat(15)}whsec_${'a'.repeat(1_038)} `;
  const start = `${secrets}${'x'.repeat(16 * 1024 + 1024 - 36 - secrets.length)}`;
  const logged = await loggedBodyWith(`${start} http://user:hunter2@x.test/`);
  expect(logged).not.toContain('user');
});

test('the strict profile keeps no bodies', async () => {
  await using strict = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN, seed: SEED });
  await strict.call('GET', '/v1/me', { credential: 'svc_sk_strict_key_of_this_test' });
  const { body } = await strict.call('GET', '/_control/requests', { credential: TEST_ADMIN_TOKEN });
  expect(body.data).toMatchObject([{ status: 200, requestBody: null, responseBody: null }]);
});

const SEED = {
  organizations: [
    {
      slug: 'o',
      name: 'O',
      workspaces: [{ slug: 'w', name: 'W', apiKeys: [{ credential: 'svc_sk_strict_key_of_this_test' }] }],
    },
  ],
};
