import { expect, test } from 'vitest';
import { covers, subscribables } from '../../../src/screens/webhooks/subscription.ts';

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
