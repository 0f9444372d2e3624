/**
 * If the slug of the name is taken, appends the end of the id. With the option `randomSeed`, a new id can have the same
 * end as an id from before a restart. So if the longer slug is also taken, appends the whole ULID instead.
 */
export async function defaultSlug(
  name: string,
  id: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const ulid = id.slice(-26).toLowerCase();
  const end = ulid.slice(-8);
  // A slug has at most 120 characters, so leave space for the ULID.
  const slug = words.slice(0, 90).replace(/-$/, '');
  const candidates = slug === '' ? [end] : [slug, `${slug}-${end}`];
  for (const candidate of candidates) if (!(await isTaken(candidate))) return candidate;
  return slug === '' ? ulid : `${slug}-${ulid}`;
}
