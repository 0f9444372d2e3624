import { z } from 'zod';
import type { OrganizationItem, OrganizationMember, OrganizationWorkspace, UserItem } from '../../control/index.ts';
import type { WorkspaceTable } from '../../storage/schema/tenants.ts';
import { findOrganization } from '../../storage/statements/find-organization.ts';
import { listMembers } from '../../storage/statements/list-members.ts';
import { listOrganizations } from '../../storage/statements/list-organizations.ts';
import { listUsers } from '../../storage/statements/list-users.ts';
import { notFound } from '../errors.ts';
import { answerPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';
import { envelope, listOf, page } from './page.ts';

/** The most workspaces to show with their organization. */
const WORKSPACES_MAX = 100;

const workspace = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  timezone: z.string().nullable(),
  weekStartsOn: z.int().nullable(),
}) satisfies z.ZodType<OrganizationWorkspace>;

const organization = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  createdAt: z.string(),
  workspaces: z.array(workspace),
  moreWorkspaces: z.boolean(),
}) satisfies z.ZodType<OrganizationItem>;

const user = z.object({ id: z.string(), email: z.string(), name: z.string() }) satisfies z.ZodType<UserItem>;

const member = z.object({
  user,
  role: z.string(),
  overrides: z.array(z.object({ workspaceId: z.string(), role: z.string() })),
}) satisfies z.ZodType<OrganizationMember>;

const readOrganizations = controlOperation({
  method: 'GET',
  path: '/_control/organizations',
  summary: 'List the organizations, newest first',
  description: `Each has its first ${WORKSPACES_MAX} workspaces.`,
  query: z.object(page),
  status: 200,
  answer: envelope(organization),
  async handle({ services, query }) {
    return await answerPage(
      listOf(services, '/_control/organizations', {}, query),
      (bound, size) => services.storage.read((queries) => listOrganizations(queries, bound, size, WORKSPACES_MAX)),
      (row) => row.organization.id,
      ({ organization: { id, slug, name, logo, created_at }, workspaces }): OrganizationItem => ({
        id,
        slug,
        name,
        logo,
        createdAt: toTimestamp(created_at),
        workspaces: workspaces.slice(0, WORKSPACES_MAX).map(presentItem),
        moreWorkspaces: workspaces.length > WORKSPACES_MAX,
      }),
    );
  },
});

const presentItem = (row: WorkspaceTable): OrganizationWorkspace => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  image: row.image,
  timezone: row.timezone,
  weekStartsOn: row.week_starts_on,
});

const readMembers = controlOperation({
  method: 'GET',
  path: '/_control/organizations/{id}/members',
  summary: 'List the members of an organization by user id',
  description: "Each has the overrides in the organization's workspaces.",
  query: z.object(page),
  status: 200,
  answer: envelope(member),
  refusals: { 404: 'No such organization.' },
  async handle({ services, params: { id = '' }, query }) {
    const found = await services.storage.read((queries) => findOrganization(queries, id));
    if (!found) throw notFound('organization', id);
    return await answerPage(
      listOf(services, `/_control/organizations/${id}/members`, {}, query),
      (bound, size) => services.storage.read((queries) => listMembers(queries, id, bound, size)),
      (row) => row.user_id,
      (row): OrganizationMember => ({
        user: { id: row.user_id, email: row.email, name: row.name },
        role: row.role,
        overrides: row.overrides.map(({ workspace_id, role }) => ({ workspaceId: workspace_id, role })),
      }),
    );
  },
});

const readUsers = controlOperation({
  method: 'GET',
  path: '/_control/users',
  summary: 'List the users, newest first',
  description: 'With `q`, lists the users whose email begins with it, sorted by email.',
  query: z.object({ q: z.string().min(1).max(254).optional(), ...page }),
  status: 200,
  answer: envelope(user),
  async handle({ services, query: { q, ...query } }) {
    return await answerPage(
      listOf(services, '/_control/users', q === undefined ? {} : { q }, query),
      (bound, size) => services.storage.read((queries) => listUsers(queries, q, bound, size)),
      (row) => (q === undefined ? row.id : row.email),
      ({ id, email, name }): UserItem => ({ id, email, name }),
    );
  },
});

/** The calls that list organizations, members and users. */
export const tenantListOperations = [readOrganizations, readMembers, readUsers];
