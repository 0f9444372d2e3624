import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from '../../src/data/refresh-interval.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace, and the times at which it asks, in ms from the start. */
function start() {
  const startedAt = Date.now();
  const asked: number[] = [];
  let lastAt = startedAt;
  const pace = createPace(
    () => {
      lastAt = Date.now();
      asked.push(lastAt - startedAt);
    },
    () => lastAt,
  );
  return { pace, asked };
}
const few = { deliveries: { ids: ['whd_1'], count: 1 } };
const many = { deliveries: { ids: null, count: 900 } };

test('after a few changes, the page asks once a second', () => {
  const { pace, asked } = start();
  for (let turn = 0; turn < 12; turn++) {
    pace.ask(few);
    vi.advanceTimersByTime(250);
  }
  expect(asked).toEqual([1_000, 2_000, 3_000]);
});

test('at hundreds of changes a second, the page asks every four seconds', () => {
  const { pace, asked } = start();
  for (let turn = 0; turn < 36; turn++) {
    pace.ask(many);
    vi.advanceTimersByTime(250);
  }
  expect(asked).toEqual([4_000, 8_000]);
});

test('the page asks once a second for changes from other nodes', () => {
  const { pace, asked } = start();
  pace.ask({ deliveries: { ids: null, count: 0 } });
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([1_000]);
});

test('a single change after many is not delayed', () => {
  const { pace, asked } = start();
  pace.ask(many);
  vi.advanceTimersByTime(300);
  pace.ask(few);
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([1_000]);
});

test('after a lost connection, the page asks at the usual pace', () => {
  const { pace, asked } = start();
  pace.ask('anything');
  vi.advanceTimersByTime(1_000);
  expect(asked).toEqual([1_000]);
});

test('after a stop, the page asks for nothing', () => {
  const { pace, asked } = start();
  pace.ask(few);
  pace.stop();
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([]);
});
