import { expect, test } from 'vitest';
import { createThrottle } from '../../../src/runtime/throttle.ts';

test('passes a key once per interval, and other keys in between', () => {
  let now = 0;
  const isDue = createThrottle(60_000, 2, () => now);
  expect(['a', 'a', 'b', 'a'].map(isDue)).toEqual([true, false, true, false]);
  now = 59_999;
  expect(isDue('a')).toBe(false);
  now = 60_000;
  expect(['a', 'a'].map(isDue)).toEqual([true, false]);
});

test('forgets the least recent key above the maximum', () => {
  const isDue = createThrottle(60_000, 2, () => 0);
  expect(['a', 'b', 'a', 'c'].map(isDue)).toEqual([true, true, false, true]);
  expect(['a', 'b'].map(isDue)).toEqual([false, true]);
});
