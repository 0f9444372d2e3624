import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBranchReloads } from '../../../src/screens/events/branch-reloads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CHANGED = { deliveries: { ids: ['whd_other'], count: 1 } } as never;

test('one branch is reloaded each second, however many changes there are', () => {
  const reloaded: string[] = [];
  const reloads = createBranchReloads(
    () => ['a', 'b', 'c'],
    (id) => reloaded.push(id),
  );
  for (let change = 0; change < 20; change++) reloads.ask(CHANGED);
  vi.advanceTimersByTime(0);
  expect(reloaded).toEqual(['a']);
  vi.advanceTimersByTime(1_000);
  expect(reloaded).toEqual(['a', 'b']);
  vi.advanceTimersByTime(60_000);
  expect([reloaded, vi.getTimerCount()]).toEqual([['a', 'b', 'c'], 0]);
});

test('a change while others wait reloads each branch once more, the ones that waited first', () => {
  const reloaded: string[] = [];
  const reloads = createBranchReloads(
    () => ['a', 'b', 'c'],
    (id) => reloaded.push(id),
  );
  reloads.ask(CHANGED);
  vi.advanceTimersByTime(0);
  reloads.ask(CHANGED);
  vi.advanceTimersByTime(60_000);
  expect(reloaded).toEqual(['a', 'b', 'c', 'a']);
});

test('nothing is reloaded after the end', () => {
  const reloaded: string[] = [];
  const reloads = createBranchReloads(
    () => ['a'],
    (id) => reloaded.push(id),
  );
  reloads.ask(CHANGED);
  reloads.stop();
  vi.advanceTimersByTime(60_000);
  expect(reloaded).toEqual([]);
});
