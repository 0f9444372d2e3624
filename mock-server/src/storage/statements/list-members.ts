import type { Bound } from '../keyset.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';

/**
 * Members of an organization by user id, from `organization_members_in_order`, with their overrides in its workspaces.
 */
export async function listMembers(queries: Queries, organizationId: string, bound: Bound, limit: number) {
  const sign = bound.side === 'after' ? '>' : '<';
  const members = await queries
    .selectFrom('organization_members as member')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select(['member.user_id', 'member.role', 'user.email', 'user.name'])
    .where('member.organization_id', '=', organizationId)
    .$if(bound.key !== undefined, (query) =>
      query.where('member.user_id', bound.inclusive ? `${sign}=` : sign, String(bound.key)),
    )
    .orderBy('member.user_id', bound.side === 'after' ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const overrides = await together(
    members.map(({ user_id }) =>
      queries
        .selectFrom('workspace_overrides as override')
        .innerJoin('workspaces as workspace', 'workspace.id', 'override.workspace_id')
        .select(['override.workspace_id', 'override.role'])
        .where('override.user_id', '=', user_id)
        .where('workspace.organization_id', '=', organizationId)
        .orderBy('override.workspace_id')
        .execute(),
    ),
  );
  return members.map((member, index) => ({ ...member, overrides: overrides[index] ?? [] }));
}
