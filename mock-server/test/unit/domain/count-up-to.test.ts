import { expect, test } from 'vitest';
import { countUpTo } from '../../../src/domain/count-up-to.ts';

test.each([
  ['nothing', [], 0],
  ['sizes whose sum stays below', [4, 5], 2],
  ['the size that reaches the sum exactly, and no later size', [4, 6, 1], 2],
  ['the size that exceeds the sum', [4, 5, 6, 1], 3],
  ['one size that alone exceeds the sum', [11, 1], 1],
])('takes %s', (_what, sizes, count) => {
  expect(countUpTo(10, sizes)).toBe(count);
});
