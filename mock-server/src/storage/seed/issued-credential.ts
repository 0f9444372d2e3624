import type { CredentialKind } from '@svc/contract';

/** A credential in plain text, for the server's ready message and the control API. */
export interface IssuedCredential {
  kind: CredentialKind;
  name: string;
  credential: string;
  /** The workspace of an API key. Null for other credentials. */
  workspaceId: string | null;
  /**
   * The user's role in the first organization that the user belongs to. Null for API keys, and for a user without an
   * organization.
   */
  role: string | null;
}

interface SeededTenants<Credential> {
  users: readonly { id?: string | undefined; email: string; tokens: readonly Credential[] }[];
  organizations: readonly {
    members: Readonly<Record<string, string>>;
    workspaces: readonly { id?: string | undefined; apiKeys: readonly Credential[] }[];
  }[];
}

/** Lists the credentials of a seed with their owners. */
export function credentialsIn<Credential extends object>({ users, organizations }: SeededTenants<Credential>) {
  const apiKeys = organizations
    .flatMap(({ workspaces }) => workspaces)
    .flatMap(({ id: workspaceId = null, apiKeys }) =>
      apiKeys.map((key) => ({ ...key, kind: 'api_key' as const, workspaceId, userId: null, role: null })),
    );
  const tokens = users.flatMap(({ id: userId = null, email, tokens }) => {
    const role = organizations.find(({ members }) => Object.hasOwn(members, email))?.members[email] ?? null;
    return tokens.map((token) => ({
      ...token,
      kind: 'personal_access_token' as const,
      workspaceId: null,
      userId,
      role,
    }));
  });
  return [...apiKeys, ...tokens];
}
