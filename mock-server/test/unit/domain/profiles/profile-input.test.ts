import { expect, test } from 'vitest';
import { parseProfile } from '../../../../src/domain/profiles/profile-input.ts';

const parsed = (activeDays: readonly unknown[]) =>
  parseProfile(Buffer.from(JSON.stringify({ externalId: 'u-1', activeDays })));

test('A profile has at most 10,000 days, and more days are rejected before each day is checked', () => {
  const days = Array.from({ length: 10_000 }, () => '2026-02-28');
  expect(parsed(days)).toEqual({ input: { externalId: 'u-1', activeDays: days } });
  // A megabyte of numbers. A problem for each number would take a second and a gigabyte.
  expect(parsed(Array(520_000).fill(1))).toEqual({ problem: '"activeDays" must have at most 10000 entries.' });
});

test.each(['2026-02-30', '2026-03-01T00:00:00.000Z', '2026-03', '2026', ''])(
  'The text %j, which is no day that exists, is rejected with its position',
  (text) => {
    expect(parsed(['2026-02-28', text])).toEqual({
      problem: '"activeDays.1" must be a day that exists, such as 2026-02-28.',
    });
  },
);

test.each(['0001-01-01', '9999-12-31'])(
  'The day %s, often written for an unknown time, gets a problem of its own',
  (day) => {
    expect(parsed([day])).toEqual({ problem: '"activeDays.0" must be between 0001-01-02 and 9998-12-31.' });
    const lastSeenAt = `${day}T00:00:00Z`;
    expect(parseProfile(Buffer.from(JSON.stringify({ externalId: 'u-1', lastSeenAt })))).toEqual({
      problem: '"lastSeenAt" must be between 0001-01-02 and 9998-12-31.',
    });
  },
);
