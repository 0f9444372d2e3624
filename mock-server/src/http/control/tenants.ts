import type {
  ControlUser,
  OrganizationItem,
  OrganizationMember,
  OrganizationWorkspace,
} from '@svc/contract/control/resources';
import { defaultSlug } from '../../domain/default-slug.ts';
import { setOrganizationMember, setWorkspaceOverride } from '../../storage/changes/memberships.ts';
import { insertAll } from '../../storage/many-rows.ts';
import { isUniqueViolation } from '../../storage/port.ts';
import type { WorkspaceTable } from '../../storage/schema/tenants.ts';
import {
  insertOrganization,
  isSlugTaken,
  listMembers,
  listOrganizations,
  listUsers,
} from '../../storage/statements/organizations.ts';
import { insertWorkspace } from '../../storage/statements/workspaces.ts';
import { conflict, orConflict } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { presentWorkspace, toTimestamp } from '../present.ts';
import { existingOrganization, existingUser, existingWorkspace } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

export const tenantHandlers = {
  async createOrganization({ services: { clock, ids, storage }, body: { name, slug, logo } }) {
    const id = ids.next('organization');
    const organization = await withFreeSlug(slug, 'is taken', () =>
      storage.write(async (queries) => {
        const chosen = slug ?? (await defaultSlug(name, id, (text) => isSlugTaken(queries, text)));
        await insertOrganization(queries, { id, slug: chosen, name, logo, created_at: clock.now() });
        return { id, slug: chosen, name, logo };
      }),
    );
    return { organization };
  },

  async createWorkspace({ services: { clock, ids, storage }, body: { organizationId, name, slug, ...rest } }) {
    const id = ids.next('workspace');
    const now = clock.now();
    const row = await withFreeSlug(slug, 'is taken within the organization', () =>
      storage.write(async (queries) => {
        await existingOrganization(queries, organizationId);
        const workspace = {
          id,
          organization_id: organizationId,
          slug: slug ?? (await defaultSlug(name, id, (text) => isSlugTaken(queries, text, organizationId))),
          name,
          image: rest.image,
          timezone: rest.timezone,
          week_starts_on: rest.weekStartsOn,
          created_at: now,
          updated_at: now,
        };
        await insertWorkspace(queries, workspace);
        return workspace;
      }),
    );
    return { workspace: presentWorkspace(row) };
  },

  async createUser({ services: { clock, ids, storage }, body }) {
    const user = { id: ids.next('user'), ...body };
    await orConflict(`A user already has the email ${body.email}.`, () =>
      storage.write((queries) => insertAll(queries, 'users', [{ ...user, created_at: clock.now() }])),
    );
    return { user };
  },

  async listOrganizations(request) {
    return await respondWithPage(
      request,
      (queries, bound, limit) => listOrganizations(queries, bound, limit, WORKSPACES_MAX),
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

  async listMembers(request) {
    const { organizationId } = request.params;
    await request.services.storage.read((queries) => existingOrganization(queries, organizationId));
    return await respondWithPage(
      request,
      (queries, bound, limit) => listMembers(queries, organizationId, bound, limit),
      (row) => row.user_id,
      (row): OrganizationMember => ({
        user: { id: row.user_id, email: row.email, name: row.name },
        role: row.role,
        overrides: row.overrides.map(({ workspace_id, role }) => ({ workspaceId: workspace_id, role })),
      }),
    );
  },

  async listUsers(request) {
    const { q } = request.query;
    return await respondWithPage(
      request,
      (queries, bound, limit) => listUsers(queries, q, bound, limit),
      (row) => (q === undefined ? row.id : row.email),
      ({ id, email, name }): ControlUser => ({ id, email, name }),
    );
  },

  async setOrganizationRole({ services: { storage }, params: { organizationId, userId }, body: { role } }) {
    await storage.write(async (queries) => {
      await existingOrganization(queries, organizationId);
      await existingUser(queries, userId);
      await setOrganizationMember(queries, organizationId, userId, role);
    });
    return { ok: true };
  },

  async setWorkspaceOverride({ services: { storage }, params: { workspaceId, userId }, body: { role } }) {
    await storage.write(async (queries) => {
      const workspace = await existingWorkspace(queries, workspaceId);
      await existingUser(queries, userId);
      if (await setWorkspaceOverride(queries, workspace, userId, role)) return;
      throw conflict(`The user ${userId} is not a member of the organization ${workspace.organization_id}.`);
    });
    return { ok: true };
  },
} satisfies Partial<ControlHandlers>;

const TRIES = 3;

/**
 * If another transaction has stored the slug that `create` chose, calls `create` again to choose another slug.
 *
 * @throws 409 if the slug that the caller gave is in use.
 */
async function withFreeSlug<Row>(slug: string | undefined, isTaken: string, create: () => Promise<Row>): Promise<Row> {
  if (slug !== undefined) return await orConflict(`The slug "${slug}" ${isTaken}.`, create);
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      if (tries === TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}

const WORKSPACES_MAX = 100;

function presentItem(row: WorkspaceTable): OrganizationWorkspace {
  const { id, slug, name, timezone, weekStartsOn } = presentWorkspace(row);
  return { id, slug, name, image: row.image, timezone, weekStartsOn };
}
