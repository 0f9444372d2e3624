import type { Queries } from '../../storage/port.ts';
import { findOrganization, setOrganizationMember } from '../../storage/statements/organizations.ts';
import { findUser } from '../../storage/statements/users.ts';
import { findWorkspace, setWorkspaceOverride } from '../../storage/statements/workspaces.ts';
import { ApiError, notFound } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls that set roles. */
export const memberHandlers = {
  async setOrganizationRole({ services: { storage }, params: { organizationId, userId }, body: { role } }) {
    await storage.write(async (queries) => {
      if (!(await findOrganization(queries, organizationId))) throw notFound('organization', organizationId);
      await userOrThrow(queries, userId);
      await setOrganizationMember(queries, organizationId, userId, role);
    });
    return { ok: true };
  },

  async setWorkspaceOverride({ services: { storage }, params: { workspaceId, userId }, body: { role } }) {
    await storage.write(async (queries) => {
      const workspace = await findWorkspace(queries, workspaceId);
      if (!workspace) throw notFound('workspace', workspaceId);
      await userOrThrow(queries, userId);
      if (await setWorkspaceOverride(queries, workspace, userId, role)) return;
      throw new ApiError(
        'CONFLICT',
        `The user ${userId} is not a member of the organization ${workspace.organization_id}.`,
      );
    });
    return { ok: true };
  },
} satisfies Partial<ControlHandlers>;

async function userOrThrow(queries: Queries, id: string): Promise<void> {
  if (!(await findUser(queries, id))) throw notFound('user', id);
}
