import { RETRY_DELAYS_MS } from '@svc/contract';
import { expect, test } from 'vitest';
import { differingHeaders, planAttempts } from '../../../src/screens/delivery/planned-attempts.ts';

const attempt = (number: number, late = false) => ({ number, late, endedAt: '2031-03-01T00:00:00.000Z' }) as never;

test('the plan has past attempts, the next attempt with its time, and the others with their intervals', () => {
  const plan = planAttempts([attempt(1), attempt(2), attempt(2, true)], {
    nextAttemptAt: '2031-03-01T00:35:00.000Z',
    laterDelaysMs: RETRY_DELAYS_MS.slice(2),
  });
  expect(plan.map(({ kind }) => kind)).toEqual(['made', 'made', 'next', ...Array.from({ length: 8 }, () => 'planned')]);
  expect(plan[3]).toMatchObject({ number: 4, afterMs: 2 * 3_600_000 });
  expect(plan.at(-1)).toMatchObject({ number: 11, fromNextMs: (2 + 5 + 10 + 5 * 12) * 3_600_000 });
  expect(planAttempts([attempt(1)], { nextAttemptAt: null, laterDelaysMs: [] })).toHaveLength(1);
  // The schedule of --retry-schedule 1m,5m.
  const short = planAttempts([attempt(1)], { nextAttemptAt: '2031-03-01T00:01:00.000Z', laterDelaysMs: [300_000] });
  expect(short.slice(2)).toEqual([{ kind: 'planned', number: 3, afterMs: 300_000, fromNextMs: 300_000 }]);
});

test('headers differ by value and by presence, regardless of the case of their names', () => {
  expect([...differingHeaders({ A: '1', b: '2', c: '3' }, { a: '1', B: 'x' })].sort()).toEqual(['b', 'c']);
});
