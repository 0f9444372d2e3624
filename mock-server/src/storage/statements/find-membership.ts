import type { Role, WorkspaceOverride } from '@svc/contract';
import { resolveWorkspaceRole, type WorkspaceRole } from '../../domain/access.ts';
import type { Queries } from '../port.ts';

/**
 * The user's role in a workspace. `undefined` if the user is not a member, access is denied or there is no such
 * workspace: callers must not see a difference.
 */
export async function findMembership(
  queries: Queries,
  userId: string,
  workspaceId: string,
): Promise<WorkspaceRole | undefined> {
  const row = await queries
    .selectFrom('workspaces as workspace')
    .innerJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'workspace.organization_id').on('member.user_id', '=', userId),
    )
    .leftJoin('workspace_overrides as override', (join) =>
      join.onRef('override.workspace_id', '=', 'workspace.id').on('override.user_id', '=', userId),
    )
    .select(['member.role as organization_role', 'override.role as override_role'])
    .where('workspace.id', '=', workspaceId)
    .executeTakeFirst();
  return row && resolveWorkspaceRole(row.organization_role as Role, row.override_role as WorkspaceOverride | null);
}
