import type { UserClient } from '@svc/client';

// #region expand
export async function workspacesByOrganization(user: UserClient): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for await (const organization of user.organizations.list({ expand: ['workspaces'] })) {
    // `organization.workspaces` exists because of `expand`. Without it, this line does not compile.
    names.set(
      organization.name,
      organization.workspaces.map(({ name }) => name),
    );
  }
  return names;
}
// #endregion expand
