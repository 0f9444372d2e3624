import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '../../../src/index.ts';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  receiver = await startReceiver();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
afterEach(async () => {
  await api.call('POST', '/_control/reset', { body: {} });
  receiver.received.length = 0;
  receiver.status = 204;
});

const as = { credential: demo.production.key };
const inject = async (fault: object) => await api.call('POST', '/_control/faults', { body: fault });
const faults = async () => (await api.call('GET', '/_control/faults')).body.faults;
const me = () => api.call('GET', '/v1/me', as);
const endpoints = async () => (await api.call('GET', '/v1/webhooks/endpoints', as)).body.data.length;
const create = (url = receiver.url) =>
  api.call('POST', '/v1/webhooks/endpoints', { ...as, body: { url, subscribedEvents: ['lifecycle.*'] } });
const elapsedMs = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

describe('Faults of the API', () => {
  test.each([
    [400, 'VALIDATION', null],
    [429, 'RATE_LIMITED', '1'],
    [500, 'INTERNAL', null],
    [502, 'INJECTED_FAULT', null],
    [503, 'UNAVAILABLE', '1'],
  ])(
    'status %i is returned in the error envelope, and the operation does not run',
    async (status, code, retryAfter) => {
      const { body } = await inject({ target: 'api', effect: { status }, times: 1 });
      const answer = await create();
      expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) } } });
      expect(answer.headers.get('retry-after')).toBe(retryAfter);
      expect(answer.headers.get('service-fault')).toBe(body.fault.id);
      expect(answer.headers.get('service-request-id')).not.toBeNull();
      expect(await endpoints()).toBe(0);
      expect((await create()).status).toBe(201);
    },
  );

  test('are not used up by a web page, unless --cors allows its origin', async () => {
    const allowed = 'http://localhost:5173';
    await using api = await startApi({ rateLimit: false, cors: [allowed] });
    await api.call('POST', '/_control/faults', { body: { target: 'api', effect: { status: 503 }, times: 1 } });
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await api.call('GET', '/v1/me', { headers: foreign })).status).toBe(401);
    const origin = { origin: 'http://evil.test', 'sec-fetch-site': 'same-site' };
    expect((await api.call('GET', '/v1/me', { headers: origin })).status).toBe(401);
    expect((await api.call('GET', '/v1/me', { headers: { ...origin, origin: allowed } })).status).toBe(503);
    expect((await api.call('GET', '/v1/me', as)).status).toBe(200);
  });

  test('status 401 has the header of every other 401', async () => {
    await inject({ target: 'api', effect: { status: 401 }, times: 1 });
    const { status, headers } = await create();
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('only matching requests fail, and only under /v1', async () => {
    const match = { method: 'POST', path: '/v1/webhooks/*', workspaceId: demo.production.id };
    await inject({ target: 'api', match, effect: { status: 503 } });
    expect((await create()).status).toBe(503);
    const body = { url: receiver.url, subscribedEvents: ['*'] };
    const staging = { credential: demo.owner, workspaceId: demo.staging.id, body };
    expect((await api.call('POST', '/v1/webhooks/endpoints', staging)).status).toBe(201);
    expect((await me()).status).toBe(200);

    await inject({ target: 'api', effect: { status: 503 } });
    expect((await me()).status).toBe(503);
    for (const path of ['/health/live', '/openapi.json', '/_control/clock', '/_control/faults']) {
      expect((await api.call('GET', path)).status).toBe(200);
    }
  });

  test('reset cuts the connection before the operation runs; with "response", after it', async () => {
    await inject({ target: 'api', effect: { reset: true }, times: 1 });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await endpoints()).toBe(0);

    await inject({ target: 'api', effect: { reset: 'response' }, times: 1 });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await endpoints()).toBe(1);
    const { body } = await api.call('GET', '/_control/requests?limit=4');
    const seen = body.data.map(({ method, status }: { method: string; status: number }) => `${method} ${status}`);
    expect(seen).toEqual(['GET 200', 'POST null', 'GET 200', 'POST null']);
  });

  test.each([
    ['', null],
    ['  ', null],
    [demo.production.id, demo.production.id],
    // Put into the wrong header. The log shows no credential.
    [demo.production.key, null],
  ])('a request that a fault strikes is logged with its workspace: header "%s"', async (header, workspaceId) => {
    await inject({ target: 'api', effect: { status: 503 }, times: 1 });
    await api.call('GET', '/v1/me', { headers: { 'service-workspace-id': header } });
    const { body } = await api.call('GET', '/_control/requests?limit=1');
    expect(body.data).toEqual([
      expect.objectContaining({ operation: 'retrieveIdentity', credentialId: null, workspaceId }),
    ]);
  });

  test('drop sends no response, and cuts the connection after its delay', async () => {
    await inject({ target: 'api', effect: { drop: true, delayMs: 100 }, times: 1 });
    expect(await elapsedMs(() => expect(create()).rejects.toThrow('fetch failed'))).toBeGreaterThan(95);
    expect(await endpoints()).toBe(0);

    await inject({ target: 'api', effect: { drop: 'response' }, times: 1 });
    const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: receiver.url, subscribedEvents: ['*'] });
    const caller = new AbortController();
    const url = `${api.server.url}/v1/webhooks/endpoints`;
    const answer = fetch(url, { method: 'POST', headers, body, signal: caller.signal });
    // Wait for that first: an earlier call would meet the fault instead.
    await expect.poll(async () => (await faults()).at(-1).struck).toBe(1);
    await expect.poll(endpoints).toBe(1);
    caller.abort(new Error('gave up'));
    await expect(answer).rejects.toThrow('gave up');
  });

  test('a delay passes before the operation runs', async () => {
    await inject({ target: 'api', effect: { delayMs: 100 }, times: 1 });
    expect(await elapsedMs(async () => expect((await create()).status).toBe(201))).toBeGreaterThan(95);
  });

  test('without a socket, a cut connection throws the same error as fetch', async () => {
    await using database = onPostgres ? await createTestDatabase() : undefined;
    await using handler = await createHandler({
      dataDir: null,
      logLevel: 'silent',
      publicUrl: 'http://service.localhost',
      ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    });
    const call = (path: string, init: RequestInit) =>
      handler.fetch(new Request(`http://service.localhost${path}`, init));
    const body = JSON.stringify({ target: 'api', effect: { reset: true }, times: 1 });
    const headers = { 'content-type': 'application/json' };
    expect((await call('/_control/faults', { method: 'POST', body, headers })).status).toBe(201);
    const authorization = `Bearer ${demo.production.key}`;
    const refused = await call('/v1/me', { headers: { authorization } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect(refused).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect((await call('/v1/me', { headers: { authorization } })).status).toBe(200);
  });
});

describe('Faults of deliveries', () => {
  const cause = async (count = 1) => {
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    const { body } = await api.call('POST', '/_control/events', { body: { events: Array(count).fill(event) } });
    return body.events.map(({ deliveries }: { deliveries: { id: string }[] }) => deliveries[0]?.id) as string[];
  };
  const settle = () => api.call('POST', '/_control/settle', { body: {} });
  const attempts = async (id: string | undefined) =>
    (await api.call('GET', `/_control/deliveries/${id}/attempts`)).body.attempts;
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);

  test.each([
    [{ status: 500 }, 'HTTP 500', 500, 0],
    [{ status: 200 }, null, 200, 0],
    [{ reset: true }, 'Connection reset', null, 0],
    [{ drop: true }, 'Timed out after 10 s', null, 0],
    [{ reset: 'response' }, 'Connection reset', null, 1],
    [{ drop: 'response' }, 'Timed out after 10 s', null, 1],
    [{ duplicate: true }, null, 204, 2],
    [{ delayMs: 50 }, null, 204, 1],
  ])('%o', async (effect, error, status, arrived) => {
    await create();
    await inject({ target: 'delivery', effect, times: 1 });
    const [id] = await cause();
    await settle();
    expect(await attempts(id)).toMatchObject([{ number: 1, error, response: status === null ? null : { status } }]);
    expect(ids()).toEqual(Array(arrived).fill(id));
    if ('delayMs' in effect) expect((await attempts(id))[0].responseTimeMs).toBeGreaterThanOrEqual(50);

    await api.call('POST', '/_control/clock', { body: { advance: '5m' } });
    const [delivery] = (await api.call('GET', `/_control/wait?deliveryId=${id}`)).body.deliveries;
    expect(delivery).toMatchObject({ status: 'success', attempt: error === null ? 1 : 2 });
  });

  test('only the matching attempt fails', async () => {
    receiver.status = 500;
    await create();
    await inject({ target: 'delivery', match: { attempt: 2, eventType: 'lifecycle.*' }, effect: { drop: true } });
    const [id] = await cause();
    await settle();
    await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    expect((await attempts(id)).map((attempt: { error: string }) => attempt.error)).toEqual([
      'HTTP 500',
      'Timed out after 10 s',
      'HTTP 500',
    ]);
    expect(ids()).toEqual([id, id]);
  });

  test('a reordered delivery is sent after the next one of its endpoint', async () => {
    await create();
    await inject({ target: 'delivery', effect: { reorder: true, delayMs: 10_000 }, times: 1 });
    const [first, second] = await cause(2);
    await settle();
    expect(ids()).toEqual([second, first]);
  });

  test('a reordered delivery is sent after its delay if no other delivery follows', async () => {
    await create();
    await inject({ target: 'delivery', effect: { reorder: true, delayMs: 50 }, times: 1 });
    const [only] = await cause();
    await settle();
    expect(ids()).toEqual([only]);
  });

  test('the same random seed produces the same run', async () => {
    await create();
    const run = async () => {
      await inject({ target: 'delivery', effect: { status: 500 }, probability: 0.5, randomSeed: 4 });
      const struck = [];
      // One after another: concurrent attempts meet the fault in any order.
      for (let count = 0; count < 12; count++) {
        const [id] = await cause();
        await settle();
        struck.push((await attempts(id))[0].response.status);
      }
      await api.call('DELETE', '/_control/faults');
      return struck;
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([204, 500]));
  });
});
