import { expect, test } from 'vitest';
import { compactDuration, formatDuration, parseDuration } from '../../../src/domain/duration.ts';

test.each([
  ['PT5M', 300_000],
  ['P3D', 259_200_000],
  ['P1DT2H30M', 95_400_000],
  ['PT0.5S', 500],
  ['P2W', 1_209_600_000],
  ['5m', 300_000],
  ['12h', 43_200_000],
  ['3d', 259_200_000],
  ['250ms', 250],
  ['0s', 0],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', 'P', 'PT', 'P1DT', 'P1Y', 'P1M', '5', '5 m', '-5m', '1e3s', 'PT5', '99999999999999999d'])(
  '%j is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [299_999, '4 min 59 s'],
  [300_000, '5 min'],
  [9_000_000, '2 h 30 min'],
  [270_300_000, '3 d 3 h'],
  [86_400_500, '1 d'],
])('%i ms are written as "%s"', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

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
