import type { CredentialId, OrganizationId, UserId, WorkspaceId } from '@svc/contract';
import { findUser } from '../../storage/statements/users.ts';
import { findWorkspace } from '../../storage/statements/workspaces.ts';
import type { Handler } from '../operation.ts';
import { toTimestamp } from '../present/timestamp.ts';

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
