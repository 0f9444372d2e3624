import { expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../../src/http/rate-limiter.ts';

test('Rate limit: a window lasts 60 seconds from its first request, and not a millisecond less', async () => {
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
