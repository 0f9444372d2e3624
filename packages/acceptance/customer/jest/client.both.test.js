// A test of a program's own code, with the mock transport.
const { createClient, isApiError } = require('@svc/client');
const { createMockTransport, cutOff, fixtures, pages, rateLimited, refused, silent } = require('@svc/client/testing');

const clientOf = (mock, options) =>
  createClient({ apiKey: 'svc_sk_test_1', baseUrl: mock.baseUrl, fetch: mock.fetch, maxRetries: 0, ...options });

test('responses and pages', async () => {
  const mock = createMockTransport()
    .on('PATCH /v1/workspaces/{workspaceId}', { workspace: fixtures.workspace({ name: 'Acme' }) })
    .on('GET /v1/events', pages([fixtures.event()], [fixtures.event()]));
  const svc = clientOf(mock);
  expect((await svc.workspaces.update('wsp_1', { name: 'Acme' })).name).toBe('Acme');
  expect(await svc.events.list().collect({ limit: 10 })).toHaveLength(2);
  expect(mock.requests[0].body).toEqual({ name: 'Acme' });
});

test.each([
  [refused('CONFLICT'), 'CONFLICT'],
  [rateLimited(60), 'RATE_LIMITED'],
  [cutOff(), 'NETWORK'],
  [silent(), 'TIMEOUT'],
])('failures', async (outcome, code) => {
  const mock = createMockTransport().on('GET /v1/me', outcome);
  const error = await clientOf(mock, { timeoutMs: 500 })
    .me.retrieve()
    .catch((thrown) => thrown);
  expect(error.code).toBe(code);
  expect(isApiError(error, 'CONFLICT')).toBe(code === 'CONFLICT');
});

test('an abort by the test', async () => {
  const mock = createMockTransport().on('GET /v1/me', silent());
  const controller = new AbortController();
  const call = clientOf(mock).me.retrieve({ signal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  await expect(call).rejects.toMatchObject({ name: 'AbortedError' });
});
