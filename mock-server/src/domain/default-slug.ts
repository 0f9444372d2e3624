/** A slug for a name. If the name's own slug is taken, the end of the id is appended. */
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
  // Leave room for the end of the id. A slug has at most 120 characters.
  const slug = words.slice(0, 100).replace(/-$/, '');
  if (slug === '') return end;
  return (await isTaken(slug)) ? `${slug}-${end}` : slug;
}
