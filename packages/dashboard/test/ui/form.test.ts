import { expect, test } from 'vitest';
import { changedFields } from '../../src/ui/form.tsx';

const before = { url: 'https://a.test/', description: null as string | null, subscribedEvents: ['*'], more: 1 };

test.each([
  [{}, {}],
  [{ url: 'https://b.test/' }, { url: 'https://b.test/' }],
  [{ description: 'new' }, { description: 'new' }],
  [{ subscribedEvents: ['*'] }, {}],
  [{ subscribedEvents: ['lifecycle.*'] }, { subscribedEvents: ['lifecycle.*'] }],
])('a form in which somebody enters %j sends %j', (entered, sent) => {
  expect(changedFields(before, { ...before, ...entered })).toEqual(sent);
});
