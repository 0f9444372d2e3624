import type { Role, WorkspaceOverride } from '@svc/contract';
import { sql } from 'kysely';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** If the role is null, ends the membership, and removes the user's overrides in the organization's workspaces. */
export async function setOrganizationMember(
  queries: Queries,
  organizationId: string,
  userId: string,
  role: Role | null,
): Promise<void> {
  if (role !== null) {
    await queries
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: userId, role })
      .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet({ role }))
      .execute();
    return;
  }
  // Delete the membership first: a transaction that sets an override has locked the membership, so the deletion waits.
  await queries
    .deleteFrom('organization_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  await queries
    .deleteFrom('workspace_overrides')
    .where('user_id', '=', userId)
    .where('workspace_id', 'in', (query) =>
      query.selectFrom('workspaces').select('id').where('organization_id', '=', organizationId),
    )
    .execute();
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
  // Lock the membership: a transaction that ends the membership must wait, and then deletes the new override, too.
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
