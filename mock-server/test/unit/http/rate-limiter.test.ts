import { describe, expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/http/rate-limiter.ts';

describe('A window of the rate limit', () => {
  test('lasts 60 seconds from its first request, and not a millisecond less', async () => {
    let now = 1_000;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter('key_1', 2);
    expect(await take()).toEqual({ taken: 1, endsInMs: 60_000 });
    now += 30_000;
    expect(await take()).toEqual({ taken: 2, endsInMs: 30_000 });
    now += 29_999;
    expect(await take()).toEqual({ taken: 3, endsInMs: 1 });
    now += 1;
    expect(await take()).toEqual({ taken: 1, endsInMs: 60_000 });
  });

  test('lasts 60 seconds, and never a fraction more, on a clock with fractions of milliseconds', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    for (let index = 0; index < 100; index++) {
      now += 7.123_456_789 * index;
      expect((await limiter(`key_${index}`, 2)).endsInMs).toBe(60_000);
    }
  });

  test('begins with the first request after the last one ended', async () => {
    let now = 1_000;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter('key_1', 2);
    expect(await take()).toEqual({ taken: 1, endsInMs: 60_000 });
    now += 59_999;
    expect(await take()).toEqual({ taken: 2, endsInMs: 1 });
    expect(await take()).toEqual({ taken: 3, endsInMs: 1 });
    now += 1;
    expect(await take()).toEqual({ taken: 1, endsInMs: 60_000 });
  });
});
