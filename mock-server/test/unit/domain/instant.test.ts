import { expect, test } from 'vitest';
import { parseInstant } from '../../../src/domain/instant.ts';

test.each([
  ['2027-02-28T00:00:00Z', Date.UTC(2027, 1, 28)],
  ['2028-02-29T23:59:59.5+01:00', Date.UTC(2028, 1, 29, 22, 59, 59, 500)],
  ['2027-01-01t10:30z', Date.UTC(2027, 0, 1, 10, 30)],
  ['9998-12-31T00:00:00Z', Date.UTC(9998, 11, 31)],
])('The time %s is read', (text, at) => {
  expect(parseInstant(text)).toBe(at);
});

test.each([
  '2027-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2027-04-31T00:00:00+02:00',
  '2027-01-01T24:00:00Z',
  '2027-01-01T00:60:00Z',
  '2027-01-01',
  '2027-01-01T00:00:00',
  '0000-01-01T00:00:00Z',
  '9999-01-01T00:00:00Z',
  'soon',
])('%s is not a time', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
