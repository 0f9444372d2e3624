/** A slug for a name that was given none: the name's own where it is free, else with the end of the id behind it. */
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
  // Room for the end of the id within the 120 characters of a slug.
  const slug = words.slice(0, 100).replace(/-$/, '');
  if (slug === '') return end;
  return (await isTaken(slug)) ? `${slug}-${end}` : slug;
}
