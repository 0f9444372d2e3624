import { expect, test } from 'vitest';
import { pickAttention } from '../../../src/screens/overview/attention.ts';

const many = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind} ${index}`);

test.each([
  [0, 0, 0, 0],
  [2, 0, 2, 0],
  [0, 9, 0, 6],
  [9, 0, 6, 0],
  [2, 9, 2, 4],
  [9, 2, 4, 2],
  [9, 9, 3, 3],
])('of %i retried and %i failed deliveries, six lines show %i and %i', (retrying, failed, shown, shownFailed) => {
  expect(pickAttention(many('retrying', retrying), many('failed', failed), 6)).toEqual([
    ...many('retrying', shown),
    ...many('failed', shownFailed),
  ]);
});
