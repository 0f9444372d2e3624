import type { CredentialKind } from '../credentials.ts';
import type { CredentialId, OrganizationId, UserId, WorkspaceId } from '../ids.ts';
import type { Open, Timestamp } from '../open.ts';
import type { Role, WorkspacePermission } from '../permissions.ts';

/**
 * The caller. The service document defines no shape. This one is the project's.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#identity}
 */
export interface Identity {
  credential: {
    id: CredentialId;
    kind: Open<CredentialKind>;
    test: boolean;
    createdAt: Timestamp;
  };
  /** Null for an API key. */
  user: { id: UserId; email: string; name: string } | null;
  /** The API key's workspace, or the workspace that a token's request names. Null otherwise. */
  workspace: {
    id: WorkspaceId;
    organizationId: OrganizationId;
    slug: string;
    name: string;
    /** Null for an API key. */
    role: Open<Role> | null;
    permissions: Open<WorkspacePermission>[];
  } | null;
}
