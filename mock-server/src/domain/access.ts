import {
  ORGANIZATION_AREAS,
  type OrganizationPermission,
  type Role,
  WORKSPACE_AREAS,
  type WorkspaceOverride,
  type WorkspacePermission,
} from '@svc/contract';

/** A role in a workspace, and whether the organization's role gave it. */
export interface WorkspaceRole {
  role: Role;
  /** False where a workspace override gave the role. */
  implicit: boolean;
}

/** Everything that a role may do in its organization. Only the Owner may change billing. */
export function organizationPermissions(role: Role): OrganizationPermission[] {
  return ORGANIZATION_AREAS.flatMap((area): OrganizationPermission[] => {
    const writes = role === 'Owner' || (role === 'Admin' && area !== 'billing');
    return writes ? [`org:${area}:read`, `org:${area}:write`] : [`org:${area}:read`];
  });
}

/** Everything that a role may do in a workspace. */
export function workspacePermissions(role: Role): WorkspacePermission[] {
  return WORKSPACE_AREAS.flatMap((area): WorkspacePermission[] =>
    role === 'Viewer' ? [`workspace:${area}:read`] : [`workspace:${area}:read`, `workspace:${area}:write`],
  );
}

/** An API key acts with every permission in its one workspace. */
export const API_KEY_PERMISSIONS: readonly WorkspacePermission[] = workspacePermissions('Owner');

/** The role in a workspace: the override where there is one, else the organization's; `undefined` where access is denied. */
export function resolveWorkspaceRole(
  organizationRole: Role,
  override: WorkspaceOverride | null,
): WorkspaceRole | undefined {
  if (override === 'None') return undefined;
  return override === null ? { role: organizationRole, implicit: true } : { role: override, implicit: false };
}
