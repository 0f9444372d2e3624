import { expect, test } from 'vitest';
import { placeOf } from '../../../src/screens/events/place-of.ts';

test.each([
  ['{\n  "type": "a",\n  oops\n}', 'line 3, column 3'],
  ['{\n  "users": [,]\n}', 'line 2, column 13'],
  ['{ "name": "unfinished', 'line 1, column 22'],
  ['[1, 2] trailing', 'line 1, column 8'],
  ['', 'line 1, column 1'],
])('%j has a syntax error at %s', (text, place) => {
  expect(placeOf(text)).toBe(`This is not JSON: ${place}.`);
});
