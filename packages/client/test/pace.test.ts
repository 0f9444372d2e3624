import { describe, expect, it } from 'vitest';
import { apiKeyClient } from './support/clients.ts';
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
