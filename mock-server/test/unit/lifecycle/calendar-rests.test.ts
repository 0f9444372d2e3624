import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCalendarRests } from '../../../src/lifecycle/calendar-rests.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The rests of one organization, each after an evaluation without a duration. */
function startRests() {
  const rests = createCalendarRests();
  const isResting = () => rests.organizations({ includeResting: true }).includes('org_1');
  return {
    rests,
    /** Evaluates a change with this number of deliveries. @returns how long the organization rests afterwards, in ms. */
    restAfter(deliveries: number): number {
      rests.begin('org_1')(deliveries);
      const startedAt = performance.now();
      while (isResting()) vi.advanceTimersByTime(1);
      return performance.now() - startedAt;
    },
  };
}

test.each([
  [0, 500],
  [2, 500],
  [3, 600],
  [100, 20_000],
  [150, 30_000],
  [1_000, 30_000],
])('after a change with %i deliveries, an organization rests %i ms: as long as pings would take', (deliveries, ms) => {
  expect(startRests().restAfter(deliveries)).toBe(ms);
});

test('a long evaluation is followed by a rest of three times its length', () => {
  const { rests } = startRests();
  const end = rests.begin('org_1');
  expect(rests.organizations({ includeResting: false })).toEqual(['org_1']);
  vi.advanceTimersByTime(2_000);
  end(0);
  expect(rests.organizations({ includeResting: false })).toEqual([]);
  vi.advanceTimersByTime(5_999);
  expect(rests.organizations({ includeResting: true })).toEqual(['org_1']);
  vi.advanceTimersByTime(1);
  expect(rests.organizations({ includeResting: true })).toEqual([]);
});

test('replaced data ends all rests', () => {
  const { rests } = startRests();
  rests.begin('org_1')(1_000);
  rests.clear();
  expect(rests.organizations({ includeResting: true })).toEqual([]);
});
