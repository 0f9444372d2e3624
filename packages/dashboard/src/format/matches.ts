/**
 * Whether a filter matches the text or one of the ids. Every word of the filter must match, in any order and case. Ids
 * match only as a whole, because a part of an id might match by chance.
 */
export function matches(text: string, ids: readonly string[], filter: string): boolean {
  const known = text.toLowerCase();
  return filter
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word) || ids.some((id) => id.toLowerCase() === word));
}

interface Named {
  id: string;
  name: string;
}

/**
 * Returns the organizations that match, each with only its matching workspaces. Words of the filter may also match the
 * name or the id of a workspace's organization.
 */
export const organizationsMatching = <Organization extends Named & { workspaces: readonly Named[] }>(
  organizations: readonly Organization[],
  filter: string,
): Organization[] =>
  organizations.flatMap((organization) => {
    const { id, name } = organization;
    const workspaces = organization.workspaces.filter((one) => matches(`${name} ${one.name}`, [id, one.id], filter));
    return workspaces.length > 0 || matches(name, [id], filter) ? [{ ...organization, workspaces }] : [];
  });
