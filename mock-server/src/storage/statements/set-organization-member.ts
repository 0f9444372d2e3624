import type { Role } from '@svc/contract';
import type { Queries } from '../port.ts';

/**
 * Gives a user a role in an organization. With null, ends the membership and all overrides in the organization's
 * workspaces.
 */
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
  // Delete the membership first. A transaction that sets an override has locked its row, so this waits for it.
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
