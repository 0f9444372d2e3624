import type { UpdateWorkspaceBody, WorkspaceOverride } from '@svc/contract';
import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { resolveWorkspaceRole } from '../../domain/permissions.ts';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { WorkspaceTable } from '../schema/tenants.ts';
import { updatedAt } from '../updated-at.ts';

export async function findWorkspace(queries: Queries, id: string) {
  return await queries.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertWorkspace(queries: Queries, workspace: WorkspaceTable): Promise<void> {
  await queries.insertInto('workspaces').values(workspace).execute();
}

export async function updateWorkspace(queries: Queries, id: string, change: UpdateWorkspaceBody, now: Instant) {
  const columns = {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.slug !== undefined && { slug: change.slug }),
    ...(change.timezone !== undefined && { timezone: change.timezone }),
    ...(change.weekStartsOn !== undefined && { week_starts_on: change.weekStartsOn }),
  };
  return await queries
    .updateTable('workspaces')
    .set({ ...columns, updated_at: updatedAt(columns, now) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Lists all workspaces that a user can access, newest first. A user has few workspaces, so one page is enough. */
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
    const access = resolveWorkspaceRole(organization_role, override_role);
    return access ? [{ workspace, access }] : [];
  });
}

/**
 * If `role` is null, removes the override. Otherwise, returns false if the user is not a member of the organization.
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
  // A transaction that ends the membership then waits for this transaction, and also deletes the new override.
  const { rows } = await sql`
    select role from organization_members
    where user_id = ${userId} and organization_id = ${workspace.organization_id}
    ${lockingRows(queries)}`.execute(queries);
  if (rows.length === 0) return false;
  await queries
    .insertInto('workspace_overrides')
    .values({ workspace_id: workspace.id, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['user_id', 'workspace_id']).doUpdateSet({ role }))
    .execute();
  return true;
}
