import type { CredentialKind, Role, WorkspaceOverride } from '@svc/contract';

/* Instants are milliseconds since the epoch. Flags are 0 or 1. */

export interface OrganizationTable {
  id: string;
  slug: string;
  name: string;
  logo: string | null;
  created_at: number;
}

export interface WorkspaceTable {
  id: string;
  organization_id: string;
  slug: string;
  name: string;
  image: string | null;
  timezone: string | null;
  week_starts_on: number | null;
  created_at: number;
  updated_at: number;
}

export interface UserTable {
  id: string;
  email: string;
  name: string;
  created_at: number;
}

export interface OrganizationMemberTable {
  organization_id: string;
  user_id: string;
  role: Role;
}

/** A member's role in one workspace. This role replaces the member's role in the organization. `None` denies access. */
export interface WorkspaceOverrideTable {
  workspace_id: string;
  user_id: string;
  role: WorkspaceOverride;
}

export interface CredentialTable {
  id: string;
  kind: CredentialKind;
  /** SHA-256, in hexadecimal. */
  hash: string;
  name: string | null;
  test: number;
  /** The workspace of an API key. Null for other credentials. */
  workspace_id: string | null;
  /** The user of a personal access token. Null for other credentials. */
  user_id: string | null;
  created_at: number;
}
