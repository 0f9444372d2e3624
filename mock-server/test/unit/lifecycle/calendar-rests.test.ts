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
      rests.begin('org_1', () => {})(deliveries);
      const startedAt = performance.now();
      while (isResting()) vi.advanceTimersToNextTimer();
      return performance.now() - startedAt;
    },
  };
}

test('an organization rests half a second after each change, up to 1,000 deliveries', () => {
  const { restAfter } = startRests();
  expect(Array.from({ length: 10 }, () => restAfter(100))).toEqual(Array(10).fill(500));
});

test('further deliveries take as long as 300 pings a minute, but one rest takes at most 30 s', () => {
  const { restAfter } = startRests();
  for (let change = 0; change < 10; change++) restAfter(100);
  // The ten rests were half a second each.
  expect(restAfter(100)).toBe(20_000 - 10 * 500);
  expect(restAfter(100)).toBe(20_000);
  expect(restAfter(1_000)).toBe(30_000);
});

test('after a pause of the organization, 1,000 deliveries are free again', () => {
  const { restAfter } = startRests();
  expect(restAfter(1_000)).toBe(500);
  vi.advanceTimersByTime(1_000 * 200);
  expect(restAfter(1_000)).toBe(500);
});

test('a long evaluation is followed by a rest of three times its length', () => {
  const { rests } = startRests();
  const end = rests.begin('org_1', () => {});
  expect(rests.organizations({ includeResting: false })).toEqual(['org_1']);
  vi.advanceTimersByTime(2_000);
  end(0);
  expect(rests.organizations({ includeResting: false })).toEqual([]);
  vi.advanceTimersByTime(5_999);
  expect(rests.organizations({ includeResting: true })).toEqual(['org_1']);
  vi.advanceTimersByTime(1);
  expect(rests.organizations({ includeResting: true })).toEqual([]);
});

test('replaced data ends all rests, and the count of deliveries', () => {
  const { rests, restAfter } = startRests();
  restAfter(1_000);
  rests.begin('org_1', () => {})(1_000);
  rests.clear();
  expect(rests.organizations({ includeResting: true })).toEqual([]);
  expect(restAfter(1_000)).toBe(500);
});
