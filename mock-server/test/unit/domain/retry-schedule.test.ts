import { describe, expect, it, test } from 'vitest';
import { nextAttemptAt, type RetrySchedule, transitionAfter } from '../../../src/domain/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('Retry schedule', () => {
  test('11 attempts: retries come 5 min, 30 min, 2 h, 5 h, 10 h and five times 12 h after the previous attempt ends', () => {
    const delays = [];
    for (let attemptsMade = 1; ; attemptsMade++) {
      const next = nextAttemptAt(attemptsMade, 1_000);
      if (next === undefined) break;
      delays.push(next - 1_000);
    }
    expect(delays).toEqual([
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      12 * HOUR,
      12 * HOUR,
      12 * HOUR,
      12 * HOUR,
      12 * HOUR,
    ]);
  });

  test('there is no twelfth attempt', () => {
    expect(nextAttemptAt(11, 0)).toBeUndefined();
  });

  const jittered = (random: number): RetrySchedule => ({ delaysMs: [10_000], jitterPercent: 25, random: () => random });

  test('jitter never brings an attempt forward', () => {
    expect(nextAttemptAt(1, 1_000, jittered(0))).toBe(11_000);
  });

  test('jitter postpones an attempt by at most the configured percentage of the delay', () => {
    expect(nextAttemptAt(1, 1_000, jittered(0.5))).toBe(12_250);
    expect(nextAttemptAt(1, 1_000, jittered(1))).toBe(13_500);
  });
});

describe('States and transitions: after an attempt', () => {
  it('a retry follows the tenth failure, and the eleventh failure ends the delivery', () => {
    expect(transitionAfter({ succeeded: false, number: 10, endedAt: 0 })).toEqual({
      status: 'pending',
      nextAttemptAt: 12 * 3_600_000,
    });
    expect(transitionAfter({ succeeded: false, number: 11, endedAt: 0 })).toEqual({ status: 'failed' });
  });

  it('a delivery succeeds if its eleventh attempt succeeds', () => {
    expect(transitionAfter({ succeeded: true, number: 11, endedAt: 7 })).toEqual({ status: 'success' });
  });
});
