/**
 * Creates a slug from a name. If this slug is already in use, the function appends the end of the id to the slug, or the
 * whole ULID if the end is in use too: with a random seed, ids can have the same end after a restart.
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
