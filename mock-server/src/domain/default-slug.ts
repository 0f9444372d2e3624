/** Creates a slug from a name. If this slug is already in use, the function appends the end of the id to the slug. */
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
  const end = id.slice(-8).toLowerCase();
  // Shorten the slug so that the end of the id still fits, because a slug has at most 120 characters.
  const slug = words.slice(0, 100).replace(/-$/, '');
  if (slug === '') return end;
  return (await isTaken(slug)) ? `${slug}-${end}` : slug;
}
