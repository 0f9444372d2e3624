import { expect, test } from 'vitest';
import { type DataSource, nextSyncAt } from '../../../../src/domain/profiles/data-source.ts';

const MINUTE = 60_000;
const source = (schedule: string | null): DataSource => ({ kind: 'ndjson', location: '/a', schedule });

test.each([
  ['at once', 0, 5],
  ['before the next time', 4.9, 5],
  ['at the next time', 5, 10],
  ['after it', 6, 10],
  ['after several of them', 17, 20],
])('a source that is read every five minutes, and read %s, is read again later', (_when, endedAfter, expected) => {
  const startedAt = 1_000;
  const next = nextSyncAt(source('5m'), startedAt, startedAt + endedAfter * MINUTE);
  expect(next).toBe(startedAt + expected * MINUTE);
});

test.each(['PT0S', '59s', 'nonsense'])('a source is read once a minute if an import says %s', (schedule) => {
  expect(nextSyncAt(source(schedule), 0)).toBe(MINUTE);
  expect(nextSyncAt(source(schedule), 0, MINUTE)).toBe(2 * MINUTE);
});

test('a source is read every 366 days if an import says every 100,000,000 days', () => {
  expect(nextSyncAt(source('100000000d'), 0)).toBe(366 * 86_400_000);
});

test('a source without a schedule, and profiles that are pushed, are not read by themselves', () => {
  expect(nextSyncAt(source(null), 0, MINUTE)).toBeNull();
  expect(nextSyncAt({ kind: 'push' }, 0, MINUTE)).toBeNull();
});
