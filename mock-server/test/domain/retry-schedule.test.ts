import { describe, expect, test } from 'vitest';
import { nextAttemptAt } from '../../src/domain/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('Retry schedule', () => {
  test('11 attempts: after 5 min, 30 min, 2 h, 5 h, 10 h and five times 12 h, each from the end of the one before', () => {
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

  test('there is no twelfth', () => {
    expect(nextAttemptAt(11, 0)).toBeUndefined();
  });
});
