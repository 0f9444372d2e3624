import { ROLES, WORKSPACE_OVERRIDES } from '@svc/contract';
import { z } from 'zod';
import type { Queries } from '../../storage/port.ts';
import { findOrganization } from '../../storage/statements/find-organization.ts';
import { findUser } from '../../storage/statements/find-user.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { setOrganizationMember } from '../../storage/statements/set-organization-member.ts';
import { setWorkspaceOverride } from '../../storage/statements/set-workspace-override.ts';
import { ApiError, notFound } from '../errors.ts';
import { controlOperation } from './operation.ts';

const ok = z.object({ ok: z.literal(true) });

const putMember = controlOperation({
  method: 'PUT',
  path: '/_control/organizations/{id}/members/{userId}',
  changes: { tenants: true },
  summary: 'Give a user a role in an organization; null ends the membership',
  body: z.strictObject({ role: z.enum(ROLES).nullable() }),
  status: 200,
  answer: ok,
  refusals: { 404: 'No such organization or user.' },
  async handle({ services: { storage }, params: { id = '', userId = '' }, body: { role } }) {
    await storage.write(async (queries) => {
      if (!(await findOrganization(queries, id))) throw notFound('organization', id);
      await userOrThrow(queries, userId);
      await setOrganizationMember(queries, id, userId, role);
    });
    return { ok: true };
  },
});

const putOverride = controlOperation({
  method: 'PUT',
  path: '/_control/workspaces/{id}/members/{userId}',
  changes: { tenants: true },
  summary: "Replace a member's role in a workspace, or deny access with None; null removes the override",
  body: z.strictObject({ role: z.enum(WORKSPACE_OVERRIDES).nullable() }),
  status: 200,
  answer: ok,
  refusals: { 404: 'No such workspace or user.', 409: "The user is no member of the workspace's organization." },
  async handle({ services: { storage }, params: { id = '', userId = '' }, body: { role } }) {
    await storage.write(async (queries) => {
      const workspace = await findWorkspace(queries, id);
      if (!workspace) throw notFound('workspace', id);
      await userOrThrow(queries, userId);
      if (await setWorkspaceOverride(queries, workspace, userId, role)) return;
      throw new ApiError(
        'CONFLICT',
        `The user ${userId} is not a member of the organization ${workspace.organization_id}.`,
      );
    });
    return { ok: true };
  },
});

async function userOrThrow(queries: Queries, id: string): Promise<void> {
  if (!(await findUser(queries, id))) throw notFound('user', id);
}

/** The calls that set roles. */
export const memberOperations = [putMember, putOverride];
