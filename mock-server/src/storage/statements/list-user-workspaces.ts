import type { Role, WorkspaceOverride } from '@svc/contract';
import { resolveWorkspaceRole } from '../../domain/access.ts';
import type { Queries } from '../port.ts';

/**
 * The workspaces that a user can access, newest first, with the user's role in each. There are few, so they fit on one
 * page.
 */
export async function listUserWorkspaces(queries: Queries, userId: string) {
  const rows = await queries
    .selectFrom('organization_members as member')
    .innerJoin('workspaces as workspace', 'workspace.organization_id', 'member.organization_id')
    .leftJoin('workspace_overrides as override', (join) =>
      join.onRef('override.workspace_id', '=', 'workspace.id').on('override.user_id', '=', userId),
    )
    .selectAll('workspace')
    .select(['member.role as organization_role', 'override.role as override_role'])
    .where('member.user_id', '=', userId)
    .orderBy('workspace.id', 'desc')
    .execute();
  return rows.flatMap(({ organization_role, override_role, ...workspace }) => {
    const access = resolveWorkspaceRole(organization_role as Role, override_role as WorkspaceOverride | null);
    return access ? [{ workspace, access }] : [];
  });
}
