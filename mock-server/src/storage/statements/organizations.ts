import { resolveWorkspaceRole } from '../../domain/permissions.ts';
import { type Bound, rowsFrom } from '../keyset.ts';
import type { Queries } from '../port.ts';
import type { OrganizationTable } from '../schema/tenants.ts';
import { together } from '../together.ts';

export async function findOrganization(queries: Queries, id: string) {
  return await queries.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

export const hasOrganizations = async (queries: Queries): Promise<boolean> =>
  (await queries.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined;

export async function insertOrganization(queries: Queries, organization: OrganizationTable): Promise<void> {
  await queries.insertInto('organizations').values(organization).execute();
}

/** Whether an organization has this slug. With `organizationId`, checks the workspaces of that organization instead. */
export async function isSlugTaken(queries: Queries, slug: string, organizationId?: string): Promise<boolean> {
  const row =
    organizationId === undefined
      ? await queries.selectFrom('organizations').select('id').where('slug', '=', slug).executeTakeFirst()
      : await queries
          .selectFrom('workspaces')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('slug', '=', slug)
          .executeTakeFirst();
  return row !== undefined;
}

/**
 * Lists organizations, newest first, each with its first workspaces in the order of their slugs. Reads one workspace
 * more than `workspacesMax`, so that the caller can see whether there are more.
 */
export async function listOrganizations(queries: Queries, bound: Bound, limit: number, workspacesMax: number) {
  const organizations = await queries.selectFrom('organizations').selectAll().$call(rowsFrom(bound, limit)).execute();
  const workspaces = await together(
    organizations.map(({ id }) =>
      queries
        .selectFrom('workspaces')
        .selectAll()
        .where('organization_id', '=', id)
        .orderBy('slug')
        .limit(workspacesMax + 1)
        .execute(),
    ),
  );
  return organizations.map((organization, index) => ({ organization, workspaces: workspaces[index] ?? [] }));
}

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

/** Reverses a bound, so that {@link rowsFrom} reads a list in ascending order. */
const inRisingOrder = (bound: Bound): Bound => ({ ...bound, side: bound.side === 'after' ? 'before' : 'after' });

/** Lists an organization's members in the order of their user ids, with their overrides in its workspaces. */
export async function listMembers(queries: Queries, organizationId: string, bound: Bound, limit: number) {
  const members = await queries
    .selectFrom('organization_members as member')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .select(['member.user_id', 'member.role', 'user.email', 'user.name'])
    .where('member.organization_id', '=', organizationId)
    .$call(rowsFrom(inRisingOrder(bound), limit, 'member.user_id'))
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

/** Joins each workspace with the members of its organization, and with their overrides in the workspace. */
export const memberships = (queries: Queries) =>
  queries
    .selectFrom('workspaces as workspace')
    .innerJoin('organization_members as member', 'member.organization_id', 'workspace.organization_id')
    .leftJoin('workspace_overrides as override', (join) =>
      join.onRef('override.workspace_id', '=', 'workspace.id').onRef('override.user_id', '=', 'member.user_id'),
    );

/**
 * Returns undefined if the user is not a member, access is denied, or there is no such workspace. An API caller must
 * not be able to tell these cases apart.
 */
export async function findMembership(queries: Queries, userId: string, workspaceId: string) {
  const row = await memberships(queries)
    .select(['member.role', 'override.role as override'])
    .where('workspace.id', '=', workspaceId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst();
  return row && resolveWorkspaceRole(row.role, row.override);
}

/** Lists the members of the workspace's organization in the order of their ids, including members without access. */
export async function listWorkspaceMembers(queries: Queries, workspaceId: string) {
  return await memberships(queries)
    .select(['member.user_id', 'member.role', 'override.role as override'])
    .where('workspace.id', '=', workspaceId)
    .orderBy('member.user_id')
    .execute();
}

export async function findUser(queries: Queries, id: string) {
  return await queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists users, newest first. With `emailPrefix`, lists users whose email starts with this prefix, sorted by email. */
export async function listUsers(queries: Queries, emailPrefix: string | undefined, bound: Bound, limit: number) {
  const all = queries.selectFrom('users').selectAll();
  if (emailPrefix === undefined) return await all.$call(rowsFrom(bound, limit)).execute();
  return await all
    .where('email', '>=', emailPrefix)
    .where('email', '<', `${emailPrefix}\u{10ffff}`)
    .$call(rowsFrom(inRisingOrder(bound), limit, 'email'))
    .execute();
}
