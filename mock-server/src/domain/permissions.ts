import {
  ORGANIZATION_AREAS,
  type OrganizationPermission,
  type Role,
  WORKSPACE_AREAS,
  type WorkspaceOverride,
  type WorkspacePermission,
} from '@svc/contract';

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

/** A role is `implicit` if it comes from the organization. Returns `undefined` if the user has no access. */
export function resolveWorkspaceRole(
  organizationRole: Role,
  override: WorkspaceOverride | null,
): { role: Role; implicit: boolean } | undefined {
  if (override === 'None') return undefined;
  return override === null ? { role: organizationRole, implicit: true } : { role: override, implicit: false };
}
