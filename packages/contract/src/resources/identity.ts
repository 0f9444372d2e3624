import type { CredentialKind } from '../credentials.ts';
import type { CredentialId, OrganizationId, UserId, WorkspaceId } from '../ids.ts';
import type { Open, Timestamp } from '../open.ts';
import type { Role, WorkspacePermission } from '../permissions.ts';

/**
 * The caller. The service document does not show this shape. This project defines the shape.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#identity}
 */
export interface Identity {
  /** The credential of the request. */
  credential: {
    /** Id of the credential. */
    id: CredentialId;
    /** The kind of credential. */
    kind: Open<CredentialKind>;
    /** Whether the credential is a test credential. The prefix of a test credential ends with `test_`. */
    test: boolean;
    /** When the credential was created. */
    createdAt: Timestamp;
  };
  /** The user whom a personal access token represents. Null for an API key. */
  user: {
    /** Id of the user. */
    id: UserId;
    /** Email address of the user. */
    email: string;
    /** Display name of the user. */
    name: string;
  } | null;
  /**
   * For an API key, the workspace of the key. For a personal access token, the workspace that the request names, or
   * null if the request names no workspace.
   */
  workspace: {
    /** Id of the workspace. */
    id: WorkspaceId;
    /** The organization that owns the workspace. */
    organizationId: OrganizationId;
    /** Short name for URLs. Unique within the organization. */
    slug: string;
    /** Display name of the workspace. */
    name: string;
    /** The user's effective role in the workspace. Null for an API key. */
    role: Open<Role> | null;
    /** The caller's permissions in the workspace. */
    permissions: Open<WorkspacePermission>[];
  } | null;
}
