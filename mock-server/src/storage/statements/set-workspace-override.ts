import type { WorkspaceOverride } from '@svc/contract';
import { sql } from 'kysely';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Replaces a member's role in one workspace. With null, restores the role from the organization.
 *
 * @returns whether the user is a member of the workspace's organization. If not, nothing is set.
 */
export async function setWorkspaceOverride(
  queries: Queries,
  workspace: { id: string; organization_id: string },
  userId: string,
  role: WorkspaceOverride | null,
): Promise<boolean> {
  if (role === null) {
    await queries
      .deleteFrom('workspace_overrides')
      .where('user_id', '=', userId)
      .where('workspace_id', '=', workspace.id)
      .execute();
    return true;
  }
  // Locked, so that a membership that ends at the same moment leaves no override.
  const { rows } = await sql`
    select role from organization_members
    where user_id = ${userId} and organization_id = ${workspace.organization_id} ${lockingRows(queries)}`.execute(
    queries,
  );
  if (rows.length === 0) return false;
  await queries
    .insertInto('workspace_overrides')
    .values({ workspace_id: workspace.id, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['user_id', 'workspace_id']).doUpdateSet({ role }))
    .execute();
  return true;
}
