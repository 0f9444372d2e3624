import { defaultSlug } from '../../domain/default-slug.ts';
import { isUniqueViolation } from '../../storage/port.ts';
import { findOrganization, insertOrganization, isSlugTaken } from '../../storage/statements/organizations.ts';
import { insertUser } from '../../storage/statements/users.ts';
import { insertWorkspace } from '../../storage/statements/workspaces.ts';
import { ApiError, notFound } from '../errors.ts';
import { presentWorkspace } from '../present/workspace.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls that create organizations, workspaces and users. */
export const tenantHandlers = {
  async createOrganization({ services: { clock, ids, storage }, body: { name, slug, logo } }) {
    const id = ids.next('organization');
    const organization = await orConflict(`The slug "${slug}" is taken.`, () =>
      storage.write(async (queries) => {
        const chosen = slug ?? (await defaultSlug(name, id, (text) => isSlugTaken(queries, text)));
        const row = { id, slug: chosen, name, logo, created_at: clock.now() };
        await insertOrganization(queries, row);
        return { id, slug: chosen, name, logo };
      }),
    );
    return { organization };
  },

  async createWorkspace({ services: { clock, ids, storage }, body: { organizationId, name, slug, ...rest } }) {
    const id = ids.next('workspace');
    const now = clock.now();
    const row = await orConflict(`The slug "${slug}" is taken within the organization.`, () =>
      storage.write(async (queries) => {
        if (!(await findOrganization(queries, organizationId))) throw notFound('organization', organizationId);
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
      storage.write((queries) => insertUser(queries, { ...user, created_at: clock.now() })),
    );
    return { user };
  },
} satisfies Partial<ControlHandlers>;

/** @throws 409 if the work fails because a value is taken. */
async function orConflict<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('CONFLICT', message) : error;
  }
}
