import type {
  ControlUser,
  OrganizationItem,
  OrganizationMember,
  OrganizationWorkspace,
} from '@svc/contract/control/resources';
import type { WorkspaceTable } from '../../storage/schema/tenants.ts';
import { findOrganization, listMembers, listOrganizations } from '../../storage/statements/organizations.ts';
import { listUsers } from '../../storage/statements/users.ts';
import { notFound } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { listOf } from './list-of.ts';
import type { ControlHandlers } from './operation.ts';

/** The maximum number of workspaces to show with their organization. */
const WORKSPACES_MAX = 100;

/** The calls that list organizations, members and users. */
export const tenantListHandlers = {
  async listOrganizations({ services, path, query }) {
    return await respondWithPage(
      listOf(services, path, {}, query),
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

  async listMembers({ services, path, params: { organizationId }, query }) {
    const found = await services.storage.read((queries) => findOrganization(queries, organizationId));
    if (!found) throw notFound('organization', organizationId);
    return await respondWithPage(
      listOf(services, path, {}, query),
      (bound, size) => services.storage.read((queries) => listMembers(queries, organizationId, bound, size)),
      (row) => row.user_id,
      (row): OrganizationMember => ({
        user: { id: row.user_id, email: row.email, name: row.name },
        role: row.role,
        overrides: row.overrides.map(({ workspace_id, role }) => ({ workspaceId: workspace_id, role })),
      }),
    );
  },

  async listUsers({ services, path, query: { q, ...query } }) {
    return await respondWithPage(
      listOf(services, path, q === undefined ? {} : { q }, query),
      (bound, size) => services.storage.read((queries) => listUsers(queries, q, bound, size)),
      (row) => (q === undefined ? row.id : row.email),
      ({ id, email, name }): ControlUser => ({ id, email, name }),
    );
  },
} satisfies Partial<ControlHandlers>;

const presentItem = (row: WorkspaceTable): OrganizationWorkspace => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  image: row.image,
  timezone: row.timezone,
  weekStartsOn: row.week_starts_on,
});
