/** The roles that a user can have in an organization or in a workspace. */
export const ROLES = ['Owner', 'Admin', 'Viewer'] as const;
/**
 * A role, in an organization or in a workspace.
 *
 * {@includeCode ../../client/test/documented/values.ts#permissions}
 */
export type Role = (typeof ROLES)[number];

/** The values of a workspace override: a role, or `None` to deny access. */
export const WORKSPACE_OVERRIDES = [...ROLES, 'None'] as const;
export type WorkspaceOverride = (typeof WORKSPACE_OVERRIDES)[number];

export const ORGANIZATION_AREAS = ['settings', 'members', 'billing', 'workspaces'] as const;
export const WORKSPACE_AREAS = ['settings', 'members', 'developer', 'profiles', 'lifecycle'] as const;

type Access = 'read' | 'write';

/**
 * A permission in an organization, for example `org:billing:write`. The service document does not show all permissions.
 * This project defines the areas.
 *
 * {@includeCode ../../client/test/documented/values.ts#permissions}
 */
export type OrganizationPermission = `org:${(typeof ORGANIZATION_AREAS)[number]}:${Access}`;

/**
 * A permission in a workspace, for example `workspace:developer:read`. The service document does not show all
 * permissions. The only area that the document names is `developer`. This project defines the other areas.
 *
 * {@includeCode ../../client/test/documented/values.ts#permissions}
 */
export type WorkspacePermission = `workspace:${(typeof WORKSPACE_AREAS)[number]}:${Access}`;
