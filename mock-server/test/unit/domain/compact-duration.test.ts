import { expect, test } from 'vitest';
import { compactDuration } from '../../../src/domain/compact-duration.ts';
import { parseDuration } from '../../../src/domain/duration.ts';

test.each([
  [0, '1s'],
  [1, '1s'],
  [59_001, '1m'],
  [91_000, '91s'],
  [30 * 60_000, '30m'],
  [12 * 3_600_000, '12h'],
  [3 * 86_400_000, '3d'],
])('%i ms are written as %s, which is never shorter', (ms, text) => {
  expect(compactDuration(ms)).toBe(text);
  expect(parseDuration(text)).toBeGreaterThanOrEqual(ms);
});
