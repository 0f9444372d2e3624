import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { createMockTransport, fixtures, rateLimited, refused, silent } from '../src/testing.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, refusal, silence } from './support/steps.ts';

describe('the time-out of an attempt', () => {
  it('ends it with a TimeoutError that counts the attempts', async () => {
    // In memory, because on a busy machine a connection may take longer than the time-out.
    const mock = createMockTransport().on('GET /v1/me', silent());
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
    await expect(svc.me.retrieve({ timeoutMs: 50, maxRetries: 1 })).rejects.toMatchObject({
      name: 'TimeoutError',
      code: 'TIMEOUT',
      limit: 'timeoutMs',
      attempts: 2,
    });
    expect(mock.requests).toHaveLength(2);
  });

  it('covers the body', async () => {
    await using server = await startScriptedServer((response) => response.writeHead(200).write('{'));
    const call = apiKeyClient(server).me.retrieve({ timeoutMs: 50, maxRetries: 0 });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('covers a credential that never arrives and a fetch that ignores its signal', async () => {
    const never = () => new Promise<never>(() => {});
    const options = { baseUrl: 'https://a.example', timeoutMs: 30, maxRetries: 0 };
    const waiting = createClient({ ...options, apiKey: never }).me.retrieve();
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    const deaf = createClient({ ...options, apiKey: 'svc_sk_1', fetch: never }).me.retrieve();
    await expect(deaf).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('does not apply if it is Infinity', async () => {
    await using server = await startScriptedServer(json({ credential: {} }));
    await apiKeyClient(server).me.retrieve({
      timeoutMs: Number.POSITIVE_INFINITY,
      deadlineMs: Number.POSITIVE_INFINITY,
    });
  });
});

describe('the deadline of a call', () => {
  it('ends an attempt that is under way', async () => {
    await using server = await startScriptedServer(silence);
    const call = apiKeyClient(server).me.retrieve({ deadlineMs: 50 });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadlineMs', attempts: 1 });
  });

  it('throws the error at once if waiting for a retry would exceed it', async () => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', { 'retry-after': '30' }));
    // The fake timers never advance, so a call that waits does not return.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const call = apiKeyClient(server).me.retrieve({ deadlineMs: 20_000 });
    await expect(call).rejects.toMatchObject({ name: 'ApiError', code: 'UNAVAILABLE', retryAfterMs: 30_000 });
  });

  it('throws the error at once if waiting for a retry would end exactly at the deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const mock = createMockTransport().on('GET /v1/me', refused('RATE_LIMITED'));
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
    // Without `Retry-After`, each wait is a minute, and the default deadline is two minutes.
    const outcome = expect(svc.me.retrieve()).rejects.toMatchObject({ name: 'ApiError', attempts: 2 });
    await vi.advanceTimersByTimeAsync(60_000);
    await outcome;
  });
});

it.each(['timeoutMs', 'deadlineMs'] as const)(
  'sends nothing if %s is 0, even if `fetch` would not wait',
  async (limit) => {
    const mock = createMockTransport();
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch, [limit]: 0 });
    for (const call of [svc.me.retrieve(), svc.webhooks.endpoints.rotateSecret('whe_1'), svc.events.list()])
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError', limit, attempts: 0 });
    await expect(svc.me.retrieve({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortedError' });
    expect(mock.requests).toEqual([]);
  },
);

describe("the caller's signal", () => {
  it('ends a call under way, and is the cause of its error', async () => {
    await using server = await startScriptedServer(silence);
    const controller = new AbortController();
    const call = apiKeyClient(server).me.retrieve({ signal: controller.signal });
    const outcome = expect(call).rejects.toMatchObject({
      name: 'AbortedError',
      code: 'ABORTED',
      cause: 'changed my mind',
    });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort('changed my mind');
    await outcome;
    expect(server.requests).toHaveLength(1);
  });

  it('ends a wait', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': '30' }));
    const controller = new AbortController();
    const call = apiKeyClient(server).me.retrieve({ signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(call).rejects.toMatchObject({ name: 'AbortedError', attempts: 1 });
  });

  it('ends a call before anything is sent if it is already aborted', async () => {
    await using server = await startScriptedServer(json({}));
    const call = apiKeyClient(server).webhooks.endpoints.delete('whe_1', { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortedError', attempts: 0 });
    expect(server.requests).toEqual([]);
  });

  it('ends a call even if it is aborted right after the call starts', async () => {
    const mock = createMockTransport().on('GET /v1/me', silent()).on('GET /v1/events', rateLimited(60));
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
    const controller = new AbortController();
    const call = expect(svc.me.retrieve({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortedError' });
    controller.abort();
    await call;
    expect(mock.requests).toEqual([]);
    await svc.events.list({}, { maxRetries: 0 }).catch(() => {});
    const another = new AbortController();
    const held = expect(svc.me.retrieve({ signal: another.signal })).rejects.toMatchObject({ name: 'AbortedError' });
    another.abort();
    await held;
  });

  it("causes an AbortedError even if it is a time-out, because the caller's time-out is not the client's", async () => {
    await using server = await startScriptedServer(silence);
    const call = apiKeyClient(server).me.retrieve({ signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toMatchObject({ name: 'AbortedError', cause: { name: 'TimeoutError' }, attempts: 1 });
  });

  it('has no listener left after 10,000 calls', async () => {
    const { signal } = new AbortController();
    const mock = createMockTransport().on('GET /v1/me', fixtures.identity());
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
    for (let i = 0; i < 100; i++) {
      await Promise.all(Array.from({ length: 100 }, () => svc.me.retrieve({ signal })));
    }
    expect(mock.requests).toHaveLength(10_000);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('has no listener left after calls that failed, timed out or were held', async () => {
    const { signal } = new AbortController();
    const mock = createMockTransport()
      .on('GET /v1/events', rateLimited(0), rateLimited(0), rateLimited(0))
      .on('GET /v1/events/{eventId}', silent());
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch, timeoutMs: 20 });
    const calls = [
      svc.me.retrieve({ signal }),
      svc.events.list({}, { signal }),
      svc.events.retrieve('evt_1', { signal, maxRetries: 0 }),
      svc.events.retrieve('' as 'evt_', { signal }),
    ];
    for (const outcome of await Promise.allSettled(calls)) expect(outcome.status).toBe('rejected');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
