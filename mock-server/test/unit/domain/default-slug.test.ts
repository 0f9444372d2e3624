import { expect, test } from 'vitest';
import { defaultSlug } from '../../../src/domain/default-slug.ts';

const ID = 'org_01J8ZQ4T5XH8G9K2M3N4P5Q6R7';

/** The slug for a name if these slugs are taken. */
const slugFor = (name: string, ...taken: string[]) => defaultSlug(name, ID, async (slug) => taken.includes(slug));

test('A slug consists of the letters and digits of the name', async () => {
  expect(await slugFor('Grace & Söhne')).toBe('grace-sohne');
  expect(await slugFor('Ünï Org')).toBe('uni-org');
  expect(await slugFor('--')).toBe('4p5q6r7'.padStart(8, 'n'));
});

test('A slug that is taken gets the end of the id, and then the whole ULID', async () => {
  const ulid = ID.slice(4).toLowerCase();
  const end = ulid.slice(-8);
  expect(await slugFor('Acme', 'acme')).toBe(`acme-${end}`);
  expect(await slugFor('Acme', 'acme', `acme-${end}`)).toBe(`acme-${ulid}`);
  expect(await slugFor('--', end)).toBe(ulid);
});

test('A slug has at most 120 characters', async () => {
  const long = 'a'.repeat(120);
  const slug = long.slice(0, 90);
  const longest = await slugFor(long, slug, `${slug}-${ID.slice(-8).toLowerCase()}`);
  expect(longest.length).toBe(117);
});
