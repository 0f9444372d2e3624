import { expect, test } from 'vitest';
import { withoutCredentials } from '../../../../src/storage/postgres/url.ts';

test.each([
  ['postgres://ann:50%25off@h/db', 'no password 50%off or 50%25off for ann, but annual'],
  ['postgres://h/db?user=ann&password=50%25off', 'no password 50%off or 50%25off for ann, but annual'],
])('neither spelling of a password nor the user is shown: %s', (url, text) => {
  expect(withoutCredentials(url, text)).toBe('no password *** or *** for ***, but annual');
});

test('a text without credentials stays as it is', () => {
  expect(withoutCredentials('postgres://h/db', 'connect ECONNREFUSED')).toBe('connect ECONNREFUSED');
});
