import type { CredentialKind } from '@svc/contract';

/** A credential in plain text, for the server's ready message and the control API. */
export interface IssuedCredential {
  kind: CredentialKind;
  name: string;
  credential: string;
  /** Set only for API keys. */
  workspaceId: string | null;
  /**
   * The user's role in the first organization that has this user as a member. Null for API keys, and for a user without
   * an organization.
   */
  role: string | null;
}
