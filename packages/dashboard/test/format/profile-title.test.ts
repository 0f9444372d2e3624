import { expect, test } from 'vitest';
import { profileTitle } from '../../src/format/profile-title.ts';

test.each([
  ['Ada', 'ada@example.com', 'Ada'],
  [null, 'ada@example.com', 'ada@example.com'],
  ['', 'ada@example.com', 'ada@example.com'],
  ['  ', '', 'u1'],
  [null, null, 'u1'],
])('a profile with the name %j and the email %j is shown as %j', (name, email, title) => {
  expect(profileTitle({ name, email, externalId: 'u1' })).toBe(title);
});
