import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from '../../src/data/pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace, and how long ago it asked, in ms, whenever it did. */
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

test('a few changes are asked for once a second', () => {
  const { pace, asked } = start();
  for (let turn = 0; turn < 12; turn++) {
    pace.ask(few);
    vi.advanceTimersByTime(250);
  }
  expect(asked).toEqual([1_000, 2_000, 3_000]);
});

test('hundreds of changes a second are asked for every four seconds', () => {
  const { pace, asked } = start();
  for (let turn = 0; turn < 36; turn++) {
    pace.ask(many);
    vi.advanceTimersByTime(250);
  }
  expect(asked).toEqual([4_000, 8_000]);
});

test('what another node may have changed is asked for once a second', () => {
  const { pace, asked } = start();
  pace.ask({ deliveries: { ids: null, count: 0 } });
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([1_000]);
});

test('a single change after many is not kept waiting', () => {
  const { pace, asked } = start();
  pace.ask(many);
  vi.advanceTimersByTime(300);
  pace.ask(few);
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([1_000]);
});

test('a lost connection is asked about at the ordinary pace', () => {
  const { pace, asked } = start();
  pace.ask('anything');
  vi.advanceTimersByTime(1_000);
  expect(asked).toEqual([1_000]);
});

test('nothing is asked after a stop', () => {
  const { pace, asked } = start();
  pace.ask(few);
  pace.stop();
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([]);
});
