import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../../src/screens/events/turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CHANGED = { deliveries: { ids: ['whd_other'], count: 1 } } as never;

test('each branch gets one turn a second, however many changes there are', () => {
  const reloaded: string[] = [];
  const turns = createTurns(
    () => ['a', 'b', 'c'],
    (id) => reloaded.push(id),
  );
  for (let change = 0; change < 20; change++) turns.ask(CHANGED);
  vi.advanceTimersByTime(0);
  expect(reloaded).toEqual(['a']);
  vi.advanceTimersByTime(1_000);
  expect(reloaded).toEqual(['a', 'b']);
  vi.advanceTimersByTime(60_000);
  expect([reloaded, vi.getTimerCount()]).toEqual([['a', 'b', 'c'], 0]);
});

test('a change while others wait gives each branch a turn, the ones that waited first', () => {
  const reloaded: string[] = [];
  const turns = createTurns(
    () => ['a', 'b', 'c'],
    (id) => reloaded.push(id),
  );
  turns.ask(CHANGED);
  vi.advanceTimersByTime(0);
  turns.ask(CHANGED);
  vi.advanceTimersByTime(60_000);
  expect(reloaded).toEqual(['a', 'b', 'c', 'a']);
});

test('nothing is reloaded after the end', () => {
  const reloaded: string[] = [];
  const turns = createTurns(
    () => ['a'],
    (id) => reloaded.push(id),
  );
  turns.ask(CHANGED);
  turns.stop();
  vi.advanceTimersByTime(60_000);
  expect(reloaded).toEqual([]);
});
