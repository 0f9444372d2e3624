import { expect, test } from 'vitest';
import { isOfAnother, nextDueOf } from '../../../src/screens/overview/next-due.ts';

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
