import { describe, expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/http/rate-limiter.ts';

describe('A window of the rate limit', () => {
  test('lasts 60 seconds from its first request, and not a millisecond less', async () => {
    let now = 1_000;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter.take('key_1', 2);
    expect(await take()).toEqual({ admitted: true, limit: 2, remaining: 1, resetSeconds: 60 });
    now += 30_000;
    expect(await take()).toEqual({ admitted: true, limit: 2, remaining: 0, resetSeconds: 30 });
    now += 29_999;
    expect(await take()).toEqual({ admitted: false, limit: 2, remaining: 0, resetSeconds: 1 });
    now += 1;
    expect(await take()).toEqual({ admitted: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  test('begins with the first request after the last one ended', async () => {
    let now = 1_000;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter.take('key_1', 2);
    expect(await take()).toEqual({ admitted: true, limit: 2, remaining: 1, resetSeconds: 60 });
    now += 59_999;
    expect(await take()).toMatchObject({ admitted: true, remaining: 0, resetSeconds: 1 });
    expect(await take()).toMatchObject({ admitted: false, remaining: 0, resetSeconds: 1 });
    now += 1;
    expect(await take()).toMatchObject({ admitted: true, remaining: 1, resetSeconds: 60 });
  });
});
