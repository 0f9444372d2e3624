import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { parseRateLimit, parseRetryAfter } from '../src/rate-limit-headers.ts';
import { createMockTransport, fixtures, rateLimited, refused } from '../src/testing.ts';
import { apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal } from './support/steps.ts';

const NOW = Date.parse('2026-03-01T09:30:00.000Z');
const told = { 'ratelimit-policy': '"default";q=300;w=60', ratelimit: '"default";r=299;t=60' };

describe('Retry-After (RFC 9110, section 10.2.3)', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['Sun, 01 Mar 2026 09:30:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 09:29:00 GMT', 0],
    ['Sunday, 01-Mar-26 09:30:30 GMT', 30_000],
    ['12, 3', 12_000],
    ['soon, 3', 3000],
    ['Sun, 01 Mar 2026 09:30:30 GMT, 60', 60_000],
    ['5, Sun, 01 Mar 2026 09:30:30 GMT, Sun, 01 Mar 2026 09:30:10 GMT', 30_000],
    ['9'.repeat(400), 2 ** 31 * 1000],
    ['Sun, 99 Mar 2026 09:30:30 GMT', null],
    ['2026-03-01T09:30:30Z', null],
    ['0x2', null],
    ['1e400', null],
    ['1e1', null],
    ['Infinity', null],
    ['+1', null],
    ['5s', null],
    ['-5', null],
    ['soon', null],
    ['', null],
    ['NaN', null],
  ])('%j is %j ms', (value, expected) => {
    expect(parseRetryAfter(new Headers({ 'retry-after': value }), NOW)).toBe(expected);
  });

  it('is null if it is missing', () => {
    expect(parseRetryAfter(new Headers(), NOW)).toBeNull();
  });
});

describe('RateLimit and RateLimit-Policy', () => {
  it('state the limit, the remaining requests, and when the window ends', () => {
    expect(parseRateLimit(new Headers(told), NOW)).toEqual({
      limit: 300,
      remaining: 299,
      resetAt: new Date(NOW + 60_000),
    });
  });

  it.each([
    {},
    { ratelimit: told.ratelimit },
    { ...told, ratelimit: 'r=many' },
    { ...told, ratelimit: `"default";r=1;t=${'9'.repeat(20)}` },
  ])('are null for %j', (headers) => {
    expect(parseRateLimit(new Headers(headers as Record<string, string>), NOW)).toBeNull();
  });

  it('are included in every page and in withResponse', async () => {
    await using server = await startScriptedServer(
      (...args) => {
        args[0].setHeader('RateLimit', told.ratelimit).setHeader('RateLimit-Policy', told['ratelimit-policy']);
        page([])(...args);
      },
      json({ workspace: {} }, 200, told),
      json({ workspace: {} }),
    );
    const svc = apiKeyClient(server);
    expect((await svc.events.list()).meta.rateLimit).toMatchObject({ limit: 300, remaining: 299 });
    expect((await svc.workspaces.retrieve('wsp_1').withResponse()).rateLimit?.resetAt).toBeInstanceOf(Date);
    expect((await svc.workspaces.retrieve('wsp_1').withResponse()).rateLimit).toBeNull();
  });
});

/** From here on, timers fire only when the test moves the clock, so a waiting call does not return. */
const holdTimers = () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** Lets all work run that does not wait for a timer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

describe('a 429', () => {
  afterEach(() => void vi.useRealTimers());

  it('delays the call for exactly the requested time', async () => {
    const mock = createMockTransport().on('GET /v1/me', fixtures.identity(), rateLimited(1), fixtures.identity());
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
    // The first call loads more code, which takes real time.
    await svc.me.retrieve();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const call = svc.me.retrieve().then(() => {});
    await turns();
    vi.advanceTimersByTime(999);
    await turns();
    expect(mock.requests).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await call;
    expect(mock.requests).toHaveLength(3);
  });

  it.each(['react', 'pace', 'off'] as const)(
    'without Retry-After delays every call for a minute: %s',
    async (rateLimit) => {
      const mock = createMockTransport()
        .on('GET /v1/me', fixtures.identity(), refused('RATE_LIMITED'), fixtures.identity())
        .on('POST /v1/webhooks/deliveries/{deliveryId}/replay', refused('RATE_LIMITED'), {
          delivery: { id: 'whd_2', endpointId: 'whe_1' },
        });
      const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch, rateLimit });
      await svc.me.retrieve();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      for (const send of [() => svc.me.retrieve(), () => svc.webhooks.deliveries.replay('whd_1')]) {
        const { length } = mock.requests;
        const call = send().then(() => {});
        await turns();
        vi.advanceTimersByTime(59_999);
        await turns();
        expect(mock.requests).toHaveLength(length + 1);
        vi.advanceTimersByTime(1);
        await call;
        expect(mock.requests).toHaveLength(length + 2);
      }
    },
  );

  it('without Retry-After is thrown at once if the deadline is less than a minute away', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED'));
    holdTimers();
    const svc = apiKeyClient(server, { deadlineMs: 59_000 });
    const asked = { code: 'RATE_LIMITED', retryAfterMs: null };
    await expect(svc.me.retrieve()).rejects.toMatchObject({ ...asked, attempts: 1 });
    await expect(svc.workspaces.retrieve('wsp_1')).rejects.toMatchObject({ ...asked, attempts: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it("holds every call of the client, including those in a user's workspaces", async () => {
    await using server = await startScriptedServer(
      refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }),
      json({ workspace: {}, endpoint: {} }),
    );
    const user = userClient(server, { maxRetries: 0 });
    await expect(user.workspace('wsp_1').webhooks.endpoints.retrieve('whe_1')).rejects.toMatchObject({
      retryAfterMs: 1000,
    });
    const startedAt = performance.now();
    await Promise.all([
      user.workspaces.retrieve('wsp_1'),
      user.workspace('wsp_2').webhooks.endpoints.update('whe_1', { active: true }),
    ]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950);
    expect(server.requests).toHaveLength(3);
  });

  it('is thrown at once if it asks for more time than the deadline leaves', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': '60' }));
    holdTimers();
    const call = apiKeyClient(server, { deadlineMs: 30_000 }).me.retrieve();
    await expect(call).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000, attempts: 1 });
  });

  it('makes other calls fail at once if their deadline comes first', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': '60' }));
    const svc = apiKeyClient(server, { deadlineMs: 30_000 });
    const own = await svc.me.retrieve().catch((error: unknown) => error);
    const held = await svc.workspaces.retrieve('wsp_1').catch((error: unknown) => error);
    // Each call throws a separate error, although they all wait because of the same response.
    const asked = { name: 'ApiError', code: 'RATE_LIMITED', requestId: 'req_test', retryAfterMs: 60_000 };
    expect(own).toMatchObject({ ...asked, operation: 'GET /v1/me', attempts: 1 });
    expect(held).toMatchObject({ ...asked, operation: 'GET /v1/workspaces/{workspaceId}', attempts: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it('does not make other calls fail if their deadline comes later', async () => {
    await using server = await startScriptedServer(
      refusal(429, 'RATE_LIMITED', { 'retry-after': '0.1' }),
      json({ workspace: {} }),
    );
    const svc = apiKeyClient(server, { maxRetries: 0, deadlineMs: 30_000 });
    await expect(svc.me.retrieve()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await svc.workspaces.retrieve('wsp_1');
    expect(server.requests).toHaveLength(2);
  });

  it('is thrown if the queue is full, and a call that was never sent then throws a UsageError', async () => {
    let arrived = 0;
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const fetch = async () => {
      if (++arrived === 1100) resolve();
      await all;
      const error = { code: 'RATE_LIMITED', message: 'Later' };
      return Response.json({ error }, { status: 429, headers: { 'retry-after': '60' } });
    };
    const svc = apiKeyClient({ url: 'https://a.example' }, { fetch });
    const outcomes: unknown[] = [];
    const calls = Array.from({ length: 1100 }, () => svc.me.retrieve().catch((error: unknown) => outcomes.push(error)));
    await expect.poll(() => outcomes.length).toBe(100);
    for (const error of outcomes) expect(error).toMatchObject({ name: 'ApiError', code: 'RATE_LIMITED', attempts: 1 });
    await expect(svc.me.retrieve()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/Too many/),
      attempts: 0,
    });
    svc.close();
    await Promise.all(calls);
  });

  it('is not the cause of every wait: a paced call past its deadline fails at once with a TimeoutError', async () => {
    await using server = await startScriptedServer(json({}, 200, { ...told, ratelimit: '"default";r=0;t=60' }));
    const svc = apiKeyClient(server, { deadlineMs: 30_000, rateLimit: 'pace' });
    await svc.me.retrieve();
    holdTimers();
    await expect(svc.me.retrieve()).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadlineMs', attempts: 0 });
  });
});
