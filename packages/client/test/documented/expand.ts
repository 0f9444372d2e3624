import type { UserClient } from '@svc/client';

// #region expand
export async function workspacesByOrganization(user: UserClient): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for await (const organization of user.organizations.list({ expand: ['workspaces'] })) {
    // Present and typed, because it was expanded; without `expand` this line would not compile.
    names.set(
      organization.name,
      organization.workspaces.map(({ name }) => name),
    );
  }
  return names;
}
// #endregion expand
