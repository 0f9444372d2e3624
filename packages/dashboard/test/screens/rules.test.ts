import { expect, test } from 'vitest';
import { append, pagesOf, refresh, rowsOf, startWith } from '../../src/screens/deliveries/loaded-list.ts';
import { type ReplayProgress, replayAll } from '../../src/screens/deliveries/replay-matching.ts';
import { differingPaths } from '../../src/screens/delivery/differing-paths.ts';
import { differingHeaders, planAttempts } from '../../src/screens/delivery/plan.ts';
import { placeOf } from '../../src/screens/events/place-of.ts';
import { isOfAnother, nextDueOf } from '../../src/screens/overview/next-due.ts';
import { activityBars, activityTotals } from '../../src/screens/webhooks/activity.ts';
import { covers, subscribables } from '../../src/screens/webhooks/subscription.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, state: 'old' }));
const ids = (list: Parameters<typeof rowsOf>[0]) => rowsOf(list).map(({ id }) => id);

test('new rows wait, and shown rows change in place', () => {
  const list = append(startWith(rows('d6', 'd5', 'd4'), '/next'), rows('d3', 'd2'), null);
  const fresh = refresh(list, undefined, [
    { id: 'd8', state: 'new' },
    { id: 'd6', state: 'new' },
    { id: 'd5', state: 'old' },
  ]);
  expect(ids(fresh)).toEqual(['d6', 'd5', 'd4', 'd3', 'd2']);
  expect(rowsOf(fresh)[0]).toEqual({ id: 'd6', state: 'new' });
  expect([...fresh.waiting]).toEqual(['d8']);
  expect([...fresh.gone]).toEqual([]);
});

test('a row that no longer matches stays, with a mark', () => {
  const list = startWith(rows('d3', 'd2', 'd1'), null);
  const fresh = refresh(list, undefined, rows('d3', 'd1'));
  expect(ids(fresh)).toEqual(['d3', 'd2', 'd1']);
  expect([...fresh.gone]).toEqual(['d2']);
});

test('a page that repeats rows adds only the others', () => {
  const list = append(startWith(rows('d3', 'd2'), '/next'), rows('d2', 'd1'), null);
  expect(ids(list)).toEqual(['d3', 'd2', 'd1']);
  expect(pagesOf(list, 0, 1, 2)).toEqual([undefined]);
  expect(pagesOf(list, 1, 3, 2)).toEqual([undefined, '/next']);
});

const attempt = (number: number, late = false) => ({ number, late, endedAt: '2031-03-01T00:00:00.000Z' }) as never;

test('the plan has past attempts, the next attempt with its time, and the others with their intervals', () => {
  const plan = planAttempts([attempt(1), attempt(2), attempt(2, true)], {
    nextAttemptAt: '2031-03-01T00:35:00.000Z',
    attemptsLeft: 9,
  });
  expect(plan.map(({ kind }) => kind)).toEqual(['made', 'made', 'next', ...Array.from({ length: 8 }, () => 'planned')]);
  expect(plan[3]).toMatchObject({ number: 4, afterMs: 2 * 3_600_000 });
  expect(plan.at(-1)).toMatchObject({ number: 11, fromNextMs: (2 + 5 + 10 + 5 * 12) * 3_600_000 });
  expect(planAttempts([attempt(1)], { nextAttemptAt: null, attemptsLeft: 0 })).toHaveLength(1);
});

test('headers differ by value and by presence, regardless of the case of their names', () => {
  expect([...differingHeaders({ A: '1', b: '2', c: '3' }, { a: '1', B: 'x' })].sort()).toEqual(['b', 'c']);
});

test('deliveries are spread over bars of equal time', () => {
  const at = (seconds: number, status: string) => ({
    id: `whd_${seconds}`,
    status,
    createdAt: new Date(seconds * 1000).toISOString(),
  });
  const deliveries = [at(100, 'failed'), at(51, 'success'), at(0, 'success')];
  const bars = activityBars(deliveries, 2);
  expect(bars.map(({ success, failed }) => [success, failed])).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(activityBars([at(1, 'success'), at(1, 'success')], 60)).toHaveLength(1);
  expect(activityBars([], 60)).toEqual([]);
  expect(activityTotals(deliveries)).toEqual({ success: 2, failed: 1, pending: 0, disabled: 0 });
});

test('everything, each prefix and each type can be subscribed to', () => {
  const types = ['a.b.c', 'a.d', 'e'];
  expect(subscribables(types)).toEqual([
    { pattern: '*', matches: types },
    { pattern: 'a.*', matches: ['a.b.c', 'a.d'] },
    { pattern: 'a.b.*', matches: ['a.b.c'] },
    ...types.map((type) => ({ pattern: type, matches: [type] })),
  ]);
  expect(covers(['a.*'], 'a.d')).toBe(true);
  expect(covers(['a.*', 'e'], 'ab')).toBe(false);
});

test.each([
  ['{\n  "type": "a",\n  oops\n}', 'line 3, column 3'],
  ['{\n  "users": [,]\n}', 'line 2, column 13'],
  ['{ "name": "unfinished', 'line 1, column 22'],
  ['[1, 2] trailing', 'line 1, column 8'],
  ['', 'line 1, column 1'],
])('%j has a syntax error at %s', (text, place) => {
  expect(placeOf(text)).toBe(`This is not JSON: ${place}.`);
});

test('a bulk replay reads the list first, replays 4 at a time, lists refusals and can be stopped', async () => {
  const progress: ReplayProgress[] = [];
  let running = 0;
  let most = 0;
  async function* matching() {
    for (let index = 0; index < 20; index++) yield { id: String(index) };
  }
  await replayAll({
    matching: matching(),
    replay: async ({ id }) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (id === '7') throw new Error('inactive');
    },
    signal: new AbortController().signal,
    onProgress: (one) => progress.push(one),
    describe: (error) => (error as Error).message,
  });
  expect(most).toBe(4);
  expect(progress.at(-1)).toEqual({
    found: 20,
    replayed: 19,
    refused: [{ id: '7', reason: 'inactive' }],
    isDone: true,
  });

  const stop = new AbortController();
  let made = 0;
  await replayAll({
    matching: matching(),
    replay: async () => {
      if (++made === 3) stop.abort();
    },
    signal: stop.signal,
    onProgress: (one) => progress.push(one),
    describe: String,
  });
  expect(made).toBeLessThan(8);
});

test('the next due work of a workspace is its earliest; work of another workspace may come before it', () => {
  const at = (hour: number) => new Date(Date.UTC(2031, 2, 1, hour)).toISOString();
  const nothing = { nextEvaluationAt: null, nextSyncAt: null };
  const endpoints = [{ nextDueAt: null }, { nextDueAt: at(4) }, { nextDueAt: at(2) }];
  expect(nextDueOf(endpoints, nothing)).toEqual({ what: 'attempt', at: at(2) });
  expect(nextDueOf(endpoints, { nextEvaluationAt: at(1), nextSyncAt: at(3) })).toEqual({
    what: 'evaluation',
    at: at(1),
  });
  expect(nextDueOf([], { nextEvaluationAt: at(5), nextSyncAt: at(3) })).toEqual({ what: 'sync', at: at(3) });
  expect(nextDueOf([{ nextDueAt: null }], nothing)).toBeUndefined();

  const here = { what: 'attempt', at: at(2) } as const;
  expect([at(1), at(2), at(3), null].map((onServer) => isOfAnother(onServer, here))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([at(1), null].map((onServer) => isOfAnother(onServer, undefined))).toEqual([true, false]);
});

test('bodies differ by JSONPath', () => {
  const before = { error: { code: 'A', at: [1, { b: 2 }], 'odd key': null }, same: [1, 2], gone: '' };
  const after = { error: { code: 'B', at: [1, { b: 3 }, 4], 'odd key': false }, same: [1, 2] };
  expect(differingPaths(JSON.stringify(before), JSON.stringify(after))).toEqual([
    { path: '$.error.code', before: '"A"', after: '"B"' },
    { path: '$.error.at[1].b', before: '2', after: '3' },
    { path: '$.error.at[2]', before: undefined, after: '4' },
    { path: '$.error["odd key"]', before: 'null', after: 'false' },
    { path: '$.gone', before: '""', after: undefined },
  ]);
  expect(differingPaths('[1]', '{"0":1}')).toEqual([{ path: '$', before: '[1]', after: '{"0":1}' }]);
  expect(differingPaths('{"a":1,"b":2}', '{ "b": 2, "a": 1 }')).toEqual([]);
  expect(differingPaths('{}', 'no')).toBeUndefined();
});

test('a comparison of bodies is bounded, however deep or long they are', () => {
  const deep = (end: string) => '['.repeat(30_000) + end + ']'.repeat(30_000);
  expect(differingPaths(deep('1'), deep('2'))?.length ?? 1).toBe(1);
  const long = (from: number) => JSON.stringify(Array.from({ length: 9_000 }, (_, index) => from + index));
  expect(differingPaths(long(0), long(1))).toHaveLength(50);
});
