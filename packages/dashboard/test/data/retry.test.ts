import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRetry } from '../../src/data/retry.ts';

/** A page that can be hidden. */
class Page extends EventTarget {
  hidden = false;
  show(isShown: boolean): void {
    this.hidden = !isShown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: Page;
beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Something that always fails, and the times of its tries in ms from the first failure. */
function startFailing() {
  const startedAt = Date.now();
  const triedAt: number[] = [];
  const retry = createRetry(() => {
    triedAt.push(Date.now() - startedAt);
    retry.later();
  });
  retry.later();
  return { retry, triedAt };
}

test('waits twice as long each time, at most five seconds', () => {
  const { triedAt } = startFailing();
  vi.advanceTimersByTime(20_000);
  expect(triedAt).toEqual([500, 1_500, 3_500, 7_500, 12_500, 17_500]);
});

test('many failures at once cause one try', () => {
  const { retry, triedAt } = startFailing();
  for (let failure = 0; failure < 12; failure++) retry.later();
  vi.advanceTimersByTime(1_000);
  expect(triedAt).toEqual([500]);
});

test('a hidden page does not try; it tries at once when it is shown', () => {
  const { triedAt } = startFailing();
  page.show(false);
  vi.advanceTimersByTime(60_000);
  expect([triedAt, vi.getTimerCount()]).toEqual([[], 0]);
  page.show(true);
  vi.advanceTimersByTime(0);
  expect(triedAt).toEqual([60_000]);
});

test('a page that is hidden before the failure waits too', () => {
  page.show(false);
  const { triedAt } = startFailing();
  vi.advanceTimersByTime(60_000);
  expect([triedAt, vi.getTimerCount()]).toEqual([[], 0]);
});

test('after a success, nothing is tried, and the next failure waits half a second again', () => {
  const { retry, triedAt } = startFailing();
  vi.advanceTimersByTime(3_600);
  retry.reset();
  vi.advanceTimersByTime(10_000);
  expect(triedAt).toEqual([500, 1_500, 3_500]);
  retry.later();
  vi.advanceTimersByTime(500);
  expect(triedAt).toEqual([500, 1_500, 3_500, 14_100]);
});
