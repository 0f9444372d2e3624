import type { OrganizationId, WorkspaceId } from '../ids.ts';
import type { Open } from '../open.ts';
import type { OrganizationPermission, Role, WorkspacePermission } from '../permissions.ts';

/**
 * An organization that the caller belongs to.
 *
 * {@includeCode ../../../client/test/documented/testing.ts#wire}
 */
export interface Organization {
  /** Id of the organization. */
  id: OrganizationId;
  /** Short name for URLs. */
  slug: string;
  /** Display name. */
  name: string;
  /** Absolute URL of a picture, or null. The service document does not show the type of this field. */
  logo: string | null;
  /** The caller's role in the organization. */
  role: Open<Role>;
  /** The caller's effective permissions in the organization. */
  permissions: Open<OrganizationPermission>[];
  /** The workspaces that the caller can access. Present only with `expand=workspaces`. */
  workspaces?: EmbeddedWorkspace[];
}

/**
 * A workspace in an organization, returned with `expand=workspaces`.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#embedded}
 */
export interface EmbeddedWorkspace {
  /** Id of the workspace. */
  id: WorkspaceId;
  /** Short name for URLs. Unique within the organization. */
  slug: string;
  /** Display name. */
  name: string;
  /** Absolute URL of a picture, or null. The service document does not show the type of this field. */
  image: string | null;
  /** The caller's effective role in this workspace. */
  role: Open<Role>;
  /**
   * True if the role comes from the organization. False if the role comes from a workspace override. The service
   * document does not show the meaning of this field.
   */
  implicit: boolean;
  /** The caller's effective permissions in this workspace. */
  permissions: Open<WorkspacePermission>[];
}
