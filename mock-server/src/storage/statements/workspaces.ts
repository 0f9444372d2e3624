import type { UpdateWorkspaceBody } from '@svc/contract';
import type { Instant } from '../../domain/instant.ts';
import { resolveWorkspaceRole } from '../../domain/permissions.ts';
import type { Queries } from '../port.ts';
import type { WorkspaceTable } from '../schema/tenants.ts';
import { updatedAt } from '../updated-at.ts';
import { memberships } from './organizations.ts';

export async function findWorkspace(queries: Queries, id: string) {
  return await queries.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertWorkspace(queries: Queries, workspace: WorkspaceTable): Promise<void> {
  await queries.insertInto('workspaces').values(workspace).execute();
}

export async function updateWorkspace(queries: Queries, id: string, change: UpdateWorkspaceBody, now: Instant) {
  const { name, slug, timezone, weekStartsOn: week_starts_on } = change;
  const columns = { name, slug, timezone, week_starts_on };
  return await queries
    .updateTable('workspaces')
    .set({ ...columns, updated_at: updatedAt(columns, now) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Lists all workspaces that a user can access, newest first. A user has few workspaces, so one page is enough. */
export async function listUserWorkspaces(queries: Queries, userId: string) {
  const rows = await memberships(queries)
    .selectAll('workspace')
    .select(['member.role', 'override.role as override'])
    .where('member.user_id', '=', userId)
    .orderBy('workspace.id', 'desc')
    .execute();
  return rows.flatMap(({ role, override, ...workspace }) => {
    const access = resolveWorkspaceRole(role, override);
    return access ? [{ workspace, access }] : [];
  });
}
