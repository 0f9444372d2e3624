import {
  pictureUrlSchema,
  slugSchema,
  timezoneSchema,
  userNameSchema,
  WorkspaceSchema,
  workspaceNameSchema,
} from '@svc/contract/schemas';
import { z } from 'zod';
import { defaultSlug } from '../../domain/default-slug.ts';
import { isUniqueViolation } from '../../storage/port.ts';
import { findOrganization } from '../../storage/statements/find-organization.ts';
import { insertOrganization } from '../../storage/statements/insert-organization.ts';
import { insertUser } from '../../storage/statements/insert-user.ts';
import { insertWorkspace } from '../../storage/statements/insert-workspace.ts';
import { isSlugTaken } from '../../storage/statements/is-slug-taken.ts';
import { ApiError, notFound } from '../errors.ts';
import { presentWorkspace } from '../present/workspace.ts';
import { controlOperation } from './operation.ts';

/** RFC 5321, 4.5.3.1.3, without the brackets. */
const EMAIL_MAX_LENGTH = 254;

const organizationAnswer = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
});
const userAnswer = z.object({ id: z.string(), email: z.string(), name: z.string() });

const createOrganization = controlOperation({
  method: 'POST',
  path: '/_control/organizations',
  changes: { tenants: true },
  summary: 'Create an organization',
  body: z.strictObject({
    name: workspaceNameSchema,
    slug: slugSchema.optional(),
    logo: pictureUrlSchema.nullable().default(null),
  }),
  status: 201,
  answer: z.object({ organization: organizationAnswer }),
  refusals: { 409: 'The slug is taken.' },
  async handle({ services: { clock, ids, storage }, body: { name, slug, logo } }) {
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
});

const createWorkspace = controlOperation({
  method: 'POST',
  path: '/_control/workspaces',
  changes: { tenants: true },
  summary: 'Create a workspace in an organization',
  body: z.strictObject({
    organizationId: z.string(),
    name: workspaceNameSchema,
    slug: slugSchema.optional(),
    image: pictureUrlSchema.nullable().default(null),
    timezone: timezoneSchema.nullable().default(null),
    weekStartsOn: z.int().min(0).max(6).nullable().default(null),
  }),
  status: 201,
  answer: z.object({ workspace: WorkspaceSchema }),
  refusals: { 404: 'No such organization.', 409: 'The slug is taken within the organization.' },
  async handle({ services: { clock, ids, storage }, body: { organizationId, name, slug, ...rest } }) {
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
});

const createUser = controlOperation({
  method: 'POST',
  path: '/_control/users',
  changes: { tenants: true },
  summary: 'Create a user',
  body: z.strictObject({ email: z.email('must be an email address').max(EMAIL_MAX_LENGTH), name: userNameSchema }),
  status: 201,
  answer: z.object({ user: userAnswer }),
  refusals: { 409: 'There is a user with this email.' },
  async handle({ services: { clock, ids, storage }, body }) {
    const user = { id: ids.next('user'), ...body };
    await orConflict(`There is a user with the email ${body.email}.`, () =>
      storage.write((queries) => insertUser(queries, { ...user, created_at: clock.now() })),
    );
    return { user };
  },
});

/** @throws 409 if the work fails because a value is taken. */
async function orConflict<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError('CONFLICT', message) : error;
  }
}

/** The calls that create organizations, workspaces and users. */
export const tenantOperations = [createOrganization, createWorkspace, createUser];
