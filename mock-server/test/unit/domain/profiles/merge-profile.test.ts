import { expect, test } from 'vitest';
import { calendarOf } from '../../../../src/domain/profiles/calendar.ts';
import { mergeProfiles } from '../../../../src/domain/profiles/merge-profile.ts';

test('Inputs are merged one after another, and only what differs from the known profiles is stored', () => {
  const options = { now: 0, calendar: calendarOf(null), newId: () => 'prf_new' };
  const { created } = mergeProfiles(new Map(), [{ externalId: 'a', id: 'prf_set' }, { externalId: 'b' }], options);
  expect(created.map(({ id }) => id)).toEqual(['prf_set', 'prf_new']);
  const known = new Map(created.map((profile) => [profile.externalId, profile]));

  const named = { externalId: 'b', name: 'Ada' };
  const inputs = [{ externalId: 'a' }, named, named, { externalId: 'c' }];
  const { outcomes, ...stored } = mergeProfiles(known, inputs, options);
  expect(outcomes).toEqual(['unchanged', 'updated', 'unchanged', 'created']);
  expect(stored.created).toMatchObject([{ externalId: 'c' }]);
  expect(stored.changes).toMatchObject([{ before: { name: null }, after: { id: 'prf_new', name: 'Ada' } }]);
});
