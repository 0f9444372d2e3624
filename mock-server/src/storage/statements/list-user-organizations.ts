import type { Queries } from '../port.ts';

/** The organizations of a user, newest first, with the user's role in each. */
export async function listUserOrganizations(queries: Queries, userId: string) {
  return await queries
    .selectFrom('organization_members as member')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .selectAll('organization')
    .select('member.role')
    .where('member.user_id', '=', userId)
    .orderBy('organization.id', 'desc')
    .execute();
}
