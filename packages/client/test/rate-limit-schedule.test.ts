import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKeyClient, userClient } from './support/clients.ts';
import { type Step, startScriptedServer } from './support/scripted-server.ts';
import { json, refusal } from './support/steps.ts';

/** Enforces and reports a limit in fixed windows. Each begins with the first request after the previous one ended. */
function limited(limit: number, windowMs: number): { step: Step; refused: () => number } {
  let endsAt = 0;
  let used = 0;
  let refused = 0;
  const step: Step = (...args) => {
    const now = Date.now();
    if (now >= endsAt) [endsAt, used] = [now + windowMs, 0];
    const seconds = Math.ceil((endsAt - now) / 1000);
    const headers = {
      'ratelimit-policy': `"default";q=${limit};w=${windowMs / 1000}`,
      ratelimit: `"default";r=${Math.max(0, limit - used - 1)};t=${seconds}`,
    };
    if (used++ < limit) return json({ credential: {} }, 200, headers)(...args);
    refused++;
    return refusal(429, 'RATE_LIMITED', { ...headers, 'retry-after': String(seconds) })(...args);
  };
  return { step, refused: () => refused };
}

describe('a job of 24 calls under a limit of 10 in 2 s', () => {
  it('gets no 429 when it is paced', async () => {
    const { step, refused } = limited(10, 2000);
    await using server = await startScriptedServer(step);
    const svc = apiKeyClient(server, { rateLimit: 'pace' });
    await Promise.all(Array.from({ length: 24 }, () => svc.me.retrieve()));
    expect(refused()).toBe(0);
    expect(server.requests).toHaveLength(24);
  });

  it('continues after a call that was aborted before it was sent', async () => {
    await using server = await startScriptedServer(limited(10, 2000).step);
    const svc = apiKeyClient(server, { rateLimit: 'pace', deadlineMs: 30_000 });
    const controller = new AbortController();
    const call = expect(svc.me.retrieve({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortedError' });
    controller.abort();
    await call;
    await Promise.all([svc.me.retrieve(), svc.me.retrieve()]);
    expect(server.requests).toHaveLength(2);
  });

  it('also completes without pacing, after waits', async () => {
    const { step, refused } = limited(10, 2000);
    await using server = await startScriptedServer(step);
    const svc = apiKeyClient(server, { maxRetries: 3 });
    await Promise.all(Array.from({ length: 24 }, () => svc.me.retrieve()));
    expect(refused()).toBeGreaterThan(0);
  });
});

describe('a response that states a limit of 0', () => {
  afterEach(() => void vi.useRealTimers());

  it('does not stop the client forever', async () => {
    const headers = { 'ratelimit-policy': '"default";q=0;w=60', ratelimit: '"default";r=0;t=60' };
    const fetch = async () => Response.json({ credential: {} }, { headers });
    const svc = apiKeyClient({ url: 'https://a.example' }, { fetch, rateLimit: 'pace', deadlineMs: 3_600_000 });
    await svc.me.retrieve();
    vi.useFakeTimers();
    const call = svc.me.retrieve();
    await vi.advanceTimersByTimeAsync(600_000);
    await call;
  });
});

describe('a job of 700 calls, if answers state no limit', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['an API key', apiKeyClient, 300],
    ['a personal access token', userClient, 120],
  ])('gets no 429 with %s when it is paced', async (_, client, perMinute) => {
    const windows: { endsAt: number; used: number }[] = [];
    const fetch = async () => {
      const now = Date.now();
      if (now >= (windows.at(-1)?.endsAt ?? 0)) windows.push({ endsAt: now + 60_000, used: 0 });
      const window = windows.at(-1);
      if (window) window.used++;
      return Response.json({ credential: {} });
    };
    const svc = client({ url: 'https://a.example' }, { fetch, rateLimit: 'pace', deadlineMs: 3_600_000 });
    await svc.me.retrieve();
    vi.useFakeTimers();
    const calls = Promise.all(Array.from({ length: 700 }, () => svc.me.retrieve()));
    await vi.advanceTimersByTimeAsync(3_600_000);
    await calls;
    expect(Math.max(...windows.map((window) => window.used))).toBe(perMinute);
    expect(windows).toHaveLength(Math.ceil(701 / perMinute));
  });
});

describe('parallel calls under a limit of 60 a minute', () => {
  afterEach(() => void vi.useRealTimers());

  /** A service that counts in windows. `delayMs` is how long it takes to respond when `left` requests are left. */
  async function used(calls: number, delayMs: (left: number, made: number) => number): Promise<number[]> {
    const limit = 60;
    const windows: { endsAt: number; used: number }[] = [];
    let made = 0;
    const fetch = async () => {
      const now = Date.now();
      if (now >= (windows.at(-1)?.endsAt ?? 0)) windows.push({ endsAt: now + 60_000, used: 0 });
      const window = windows.at(-1) ?? { endsAt: 0, used: 0 };
      window.used++;
      const left = limit - window.used;
      const headers = {
        'ratelimit-policy': `"default";q=${limit};w=60`,
        ratelimit: `"default";r=${left};t=${Math.ceil((window.endsAt - now) / 1000)}`,
      };
      await new Promise((resolve) => setTimeout(resolve, delayMs(left, made++)));
      return Response.json({ credential: {} }, { headers });
    };
    const options = { fetch, rateLimit: 'pace', deadlineMs: 3_600_000, timeoutMs: 3_600_000 } as const;
    const svc = apiKeyClient({ url: 'https://a.example' }, options);
    await svc.me.retrieve();
    vi.useFakeTimers();
    const all = Promise.all(Array.from({ length: calls }, () => svc.me.retrieve()));
    await vi.advanceTimersByTimeAsync(3_600_000);
    await all;
    return windows.map((window) => window.used);
  }

  it('use every window up to the limit if the response to the last request of a burst arrives first', async () => {
    expect(await used(180, (left) => left)).toEqual([60, 60, 60, 1]);
  });

  it('use every window up to the limit while one call hangs for five minutes', async () => {
    expect(await used(180, (_left, made) => (made === 1 ? 300_000 : 0))).toEqual([60, 60, 60, 1]);
  });
});
