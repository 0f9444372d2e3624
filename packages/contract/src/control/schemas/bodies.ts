import * as z from 'zod';
import { ROLES, WORKSPACE_OVERRIDES } from '../../permissions.ts';
import { userNameSchema } from '../../schemas/identity.ts';
import { pictureUrlSchema } from '../../schemas/organization.ts';
import { instant, line } from '../../schemas/primitives.ts';
import { weekStartsOnSchema } from '../../schemas/workspace.ts';
import { slugSchema, timezoneSchema, workspaceNameSchema } from '../../schemas/workspace-input.ts';
import type { ControlBodyOf, ControlOperationName } from '../operation-types.ts';
import { faultInput } from './faults.ts';

/**
 * The maximum length of an email address. RFC 5321 (section 4.5.3.1.3) allows 256 characters, including the two angle
 * brackets around the address.
 */
const EMAIL_MAX_LENGTH = 254;
const TIMEOUT_MAX_MS = 600_000;
const EVENTS_MAX = 10_000;
const LOCATION_MAX_LENGTH = 2_048;
const EXTERNAL_ID_MAX_LENGTH = 200;
const PROFILE_TEXT_MAX_LENGTH = 200;
/**
 * The maximum number of days in one profile of an import. This number is much larger than the number of days that the
 * service keeps.
 */
export const ACTIVE_DAYS_MAX = 10_000;
const INSTANT = 'must be an ISO 8601 instant with Z or an offset, such as 2031-03-01T00:00:00Z';

const event = z.strictObject({
  workspaceId: z.string(),
  type: z.string(),
  subject: z.strictObject({ id: z.string().min(1), type: z.string().min(1), url: z.string().min(1) }).optional(),
});

const ofCredential = { test: z.boolean().default(true), name: workspaceNameSchema.optional() };

/** The schema of one profile in an import. Unknown fields are ignored. */
export const profileInput = z.object({
  externalId: line(1, EXTERNAL_ID_MAX_LENGTH),
  name: line(0, PROFILE_TEXT_MAX_LENGTH).nullable().optional(),
  email: line(0, PROFILE_TEXT_MAX_LENGTH).nullable().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  activeDays: z.array(z.string()).max(ACTIVE_DAYS_MAX).optional(),
  firstSeenAt: instant.optional(),
  lastSeenAt: instant.optional(),
});

/** The schemas of the control API's bodies. Unknown fields are rejected. */
export const controlBodies = {
  reset: z.strictObject({ seed: z.unknown().optional() }),
  changeClock: z
    .strictObject({
      advance: z.string().optional(),
      set: z.iso.datetime({ offset: true, error: INSTANT }).optional(),
      freeze: z.literal(true).optional(),
      resume: z.literal(true).optional(),
      reset: z.literal(true).optional(),
    })
    .refine(
      (body) => Object.keys(body).length === 1,
      'must be one of { "advance": "PT5M" }, { "set": "<ISO 8601>" }, { "freeze": true }, { "resume": true } and { "reset": true }',
    )
    .meta({ minProperties: 1, maxProperties: 1 }),
  settle: z.strictObject({ timeoutMs: z.int().min(0).max(TIMEOUT_MAX_MS).default(30_000) }),
  createEvent: z.union(
    [event, z.strictObject({ events: z.array(event).min(1).max(EVENTS_MAX) })],
    'must be { "workspaceId", "type", "subject"? }, or { "events": [ … ] } with 1 to 10,000 such objects',
  ),
  createOrganization: z.strictObject({
    name: workspaceNameSchema,
    slug: slugSchema.optional(),
    logo: pictureUrlSchema.nullable().default(null),
  }),
  createWorkspace: z.strictObject({
    organizationId: z.string(),
    name: workspaceNameSchema,
    slug: slugSchema.optional(),
    image: pictureUrlSchema.nullable().default(null),
    timezone: timezoneSchema.nullable().default(null),
    weekStartsOn: weekStartsOnSchema.nullable().default(null),
  }),
  createUser: z.strictObject({
    email: z.email('must be an email address').max(EMAIL_MAX_LENGTH),
    name: userNameSchema,
  }),
  setOrganizationRole: z.strictObject({ role: z.enum(ROLES).nullable() }),
  setWorkspaceOverride: z.strictObject({ role: z.enum(WORKSPACE_OVERRIDES).nullable() }),
  createCredential: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('api_key'), workspaceId: z.string(), ...ofCredential }),
    z.strictObject({ kind: z.literal('personal_access_token'), userId: z.string(), ...ofCredential }),
  ]),
  createSession: z.union(
    [
      z.strictObject({ userId: z.string(), baseUrl: z.string() }),
      z.strictObject({ workspaceId: z.string(), baseUrl: z.string() }),
      z.strictObject({ admin: z.literal(true) }),
    ],
    'must be { "userId", "baseUrl" }, { "workspaceId", "baseUrl" } or { "admin": true }',
  ),
  importProfiles: z.array(profileInput),
  setDataSource: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('push') }),
    z.strictObject({
      kind: z.literal('ndjson'),
      location: z.string().min(1).max(LOCATION_MAX_LENGTH),
      schedule: z.string().nullable().default(null),
    }),
  ]),
  createFault: faultInput,
} satisfies {
  [Name in ControlOperationName as ControlBodyOf<Name> extends undefined ? never : Name]: z.ZodType;
};
