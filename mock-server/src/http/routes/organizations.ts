import { type Organization, type OrganizationId, operations, type Role, type WorkspaceId } from '@svc/contract';
import { organizationPermissions, workspacePermissions } from '../../domain/access.ts';
import { parseExpand, unknownExpandMessage } from '../../domain/expand.ts';
import { listUserOrganizations } from '../../storage/statements/organizations.ts';
import { listUserWorkspaces } from '../../storage/statements/workspaces.ts';
import { validation } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { userOf } from './user.ts';

export const listOrganizations: Handler<'listOrganizations'> = async ({ services, caller, query }) => {
  const allowed = operations.listOrganizations.expand;
  const expand = parseExpand(query.expand, allowed);
  if ('unknown' in expand) throw validation(unknownExpandMessage(expand.unknown, allowed));
  const user = userOf(caller);
  const withWorkspaces = expand.fields.has('workspaces');
  const { rows, reachable } = await services.storage.read(async (queries) => ({
    rows: await listUserOrganizations(queries, user),
    reachable: withWorkspaces ? await listUserWorkspaces(queries, user) : [],
  }));

  const organizations = rows.map((row): Organization => {
    const organization: Organization = {
      id: row.id as OrganizationId,
      slug: row.slug,
      name: row.name,
      logo: row.logo,
      role: row.role,
      permissions: organizationPermissions(row.role as Role),
    };
    if (!withWorkspaces) return organization;
    const own = reachable.filter(({ workspace }) => workspace.organization_id === row.id);
    return {
      ...organization,
      workspaces: own.map(({ workspace, access }) => ({
        id: workspace.id as WorkspaceId,
        slug: workspace.slug,
        name: workspace.name,
        image: workspace.image,
        role: access.role,
        implicit: access.implicit,
        permissions: workspacePermissions(access.role),
      })),
    };
  });
  return respondWithSinglePage(organizations, query.page);
};
