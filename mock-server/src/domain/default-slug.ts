/**
 * Returns a slug for a name. If the slug is taken, appends the end of the id. If the longer slug is taken too, appends
 * the whole ULID instead. This can happen with the option `randomSeed`: a new id can have the same end as an id from
 * before a restart.
 */
export async function defaultSlug(
  name: string,
  id: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const ulid = id.slice(-26).toLowerCase();
  const end = ulid.slice(-8);
  // Shorten the slug so that the ULID still fits, because a slug has at most 120 characters.
  const slug = words.slice(0, 90).replace(/-$/, '');
  const candidates = slug === '' ? [end] : [slug, `${slug}-${end}`];
  for (const candidate of candidates) if (!(await isTaken(candidate))) return candidate;
  return slug === '' ? ulid : `${slug}-${ulid}`;
}
