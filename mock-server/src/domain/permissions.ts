import {
  ORGANIZATION_AREAS,
  type OrganizationPermission,
  type Role,
  WORKSPACE_AREAS,
  type WorkspaceOverride,
  type WorkspacePermission,
} from '@svc/contract';

export interface WorkspaceRole {
  role: Role;
  /** False if the role comes from a workspace override. */
  implicit: boolean;
}

export function organizationPermissions(role: Role): OrganizationPermission[] {
  return ORGANIZATION_AREAS.flatMap((area): OrganizationPermission[] => {
    const writes = role === 'Owner' || (role === 'Admin' && area !== 'billing');
    return writes ? [`org:${area}:read`, `org:${area}:write`] : [`org:${area}:read`];
  });
}

export function workspacePermissions(role: Role): WorkspacePermission[] {
  return WORKSPACE_AREAS.flatMap((area): WorkspacePermission[] =>
    role === 'Viewer' ? [`workspace:${area}:read`] : [`workspace:${area}:read`, `workspace:${area}:write`],
  );
}

export const API_KEY_PERMISSIONS: readonly WorkspacePermission[] = workspacePermissions('Owner');

/** Returns `undefined` if the user has no access. */
export function resolveWorkspaceRole(
  organizationRole: Role,
  override: WorkspaceOverride | null,
): WorkspaceRole | undefined {
  if (override === 'None') return undefined;
  return override === null ? { role: organizationRole, implicit: true } : { role: override, implicit: false };
}
