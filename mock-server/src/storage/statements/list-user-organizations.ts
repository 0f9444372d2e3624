import type { Queries } from '../port.ts';

/** The organizations that a user belongs to, newest first, each with the role there. */
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
