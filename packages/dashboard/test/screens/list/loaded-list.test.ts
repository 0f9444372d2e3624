import { expect, test } from 'vitest';
import { append, pagesOf, refresh, rowsOf, startWith } from '../../../src/screens/list/loaded-list.ts';

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
