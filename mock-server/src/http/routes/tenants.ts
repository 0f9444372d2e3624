import {
  type CredentialId,
  type Organization,
  type OrganizationId,
  operations,
  type UserId,
  type WorkspaceId,
} from '@svc/contract';
import { organizationPermissions, workspacePermissions } from '../../domain/permissions.ts';
import { changeWorkspace } from '../../storage/changes/workspaces.ts';
import { findUser, listUserOrganizations } from '../../storage/statements/organizations.ts';
import { findWorkspace, listUserWorkspaces } from '../../storage/statements/workspaces.ts';
import type { Caller } from '../authentication.ts';
import { orConflict, workspaceForbidden } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { expandedFields } from '../parse.ts';
import { presentWorkspace, toTimestamp } from '../present.ts';

export const retrieveIdentity: Handler<'retrieveIdentity'> = async ({ services, caller, scope }) => {
  const { user, workspace } = await services.storage.read(async (queries) => ({
    user: caller.kind === 'api_key' ? undefined : await findUser(queries, caller.userId),
    workspace: scope && (await findWorkspace(queries, scope.workspaceId)),
  }));
  return {
    credential: {
      id: caller.credentialId as CredentialId,
      kind: caller.kind,
      test: caller.test,
      createdAt: toTimestamp(caller.createdAt),
    },
    user: user ? { id: user.id as UserId, email: user.email, name: user.name } : null,
    workspace:
      scope && workspace
        ? {
            id: workspace.id as WorkspaceId,
            organizationId: workspace.organization_id as OrganizationId,
            slug: workspace.slug,
            name: workspace.name,
            role: scope.role,
            permissions: [...scope.permissions],
          }
        : null,
  };
};

export const listOrganizations: Handler<'listOrganizations'> = async ({ services, caller, query }) => {
  const expand = expandedFields(query.expand, operations.listOrganizations.expand);
  const user = userOf(caller);
  const withWorkspaces = expand.has('workspaces');
  const { rows, reachable } = await services.storage.read(async (queries) => ({
    rows: await listUserOrganizations(queries, user),
    reachable: withWorkspaces ? await listUserWorkspaces(queries, user) : [],
  }));

  const workspacesOf = Map.groupBy(reachable, ({ workspace }) => workspace.organization_id);
  const presentWorkspaces = (organizationId: string) =>
    (workspacesOf.get(organizationId) ?? []).map(({ workspace, access }) => ({
      id: workspace.id as WorkspaceId,
      slug: workspace.slug,
      name: workspace.name,
      image: workspace.image,
      role: access.role,
      implicit: access.implicit,
      permissions: workspacePermissions(access.role),
    }));
  const organizations = rows.map(
    (row): Organization => ({
      id: row.id as OrganizationId,
      slug: row.slug,
      name: row.name,
      logo: row.logo,
      role: row.role,
      permissions: organizationPermissions(row.role),
      ...(withWorkspaces && { workspaces: presentWorkspaces(row.id) }),
    }),
  );
  return respondWithSinglePage(organizations, query.page);
};

export const listWorkspaces: Handler<'listWorkspaces'> = async ({ services, caller, query }) => {
  const reachable = await services.storage.read((queries) => listUserWorkspaces(queries, userOf(caller)));
  return respondWithSinglePage(
    reachable.map(({ workspace }) => presentWorkspace(workspace)),
    query.page,
  );
};

export const retrieveWorkspace: Handler<'retrieveWorkspace'> = async ({ services, scope }) => {
  const row = await services.storage.read((queries) => findWorkspace(queries, scope.workspaceId));
  if (!row) throw workspaceForbidden();
  return { workspace: presentWorkspace(row) };
};

export const updateWorkspace: Handler<'updateWorkspace'> = async ({ services, scope, body }) => {
  const now = services.clock.now();
  const row = await orConflict(`The slug "${body.slug}" is taken within the organization.`, () =>
    services.storage.write((queries) => changeWorkspace(queries, scope.workspaceId, body, now)),
  );
  services.lifecycle.wake();
  if (!row) throw workspaceForbidden();
  const { id, name, slug, timezone, weekStartsOn } = presentWorkspace(row);
  return { workspace: { id, name, slug, timezone, weekStartsOn } };
};

function userOf(caller: Caller): string {
  if (caller.kind !== 'personal_access_token') throw new TypeError('An API key does not represent a user.');
  return caller.userId;
}
