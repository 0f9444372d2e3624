import {
  ENDPOINT_DESCRIPTION_MAX_LENGTH,
  ENDPOINTS_PER_WORKSPACE_MAX,
  ROLES,
  WEBHOOK_SECRET_PREFIX,
  WORKSPACE_OVERRIDES,
} from '@svc/contract';
import { controlBodies } from '@svc/contract/control/schemas';
import { CreateWebhookEndpointBodySchema, lineSchema, slugSchema, workspaceNameSchema } from '@svc/contract/schemas';
import { z } from 'zod';
import { credentialKindOf } from '../../domain/credential.ts';
import { isBeyondTime } from '../../domain/id-time.ts';
import { isWithinYears } from '../../domain/instant.ts';
import { profileInputSchema, WITHIN_YEARS } from '../../domain/profiles/profile-input.ts';

const INSTANT = 'must be an ISO 8601 instant with Z or an offset, such as 2031-03-01T00:00:00Z';

/** The maximum length of each text that describes an event type, in Unicode code points. */
const EVENT_TYPE_TEXT_MAX = 500;

const pinnedId = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[A-Za-z0-9]{1,64}$`), `must begin with ${prefix}`)
    .refine((id) => !isBeyondTime(id), 'must not end in a ULID whose time is after the year 10525');

const credential = (kind: 'api_key' | 'personal_access_token') =>
  z.strictObject({
    id: pinnedId(kind === 'api_key' ? 'key_' : 'pat_').optional(),
    name: workspaceNameSchema.optional(),
    credential: z
      .string()
      .max(200)
      .regex(/^\S+$/)
      .refine((text) => credentialKindOf(text)?.kind === kind, `must be a credential of kind ${kind}`)
      .optional()
      .describe('The credential; by default, the server generates a random credential and prints it'),
    test: z.boolean().default(true),
  });

const webhookEndpoint = z.strictObject({
  id: pinnedId('whe_').optional(),
  url: CreateWebhookEndpointBodySchema.shape.url,
  subscribedEvents: z.array(z.string()).min(1).max(100).default(['*']),
  description: lineSchema(0, ENDPOINT_DESCRIPTION_MAX_LENGTH).optional(),
  active: z.boolean().default(true),
  secret: z
    .string()
    .regex(
      new RegExp(`^${WEBHOOK_SECRET_PREFIX}[A-Za-z0-9_-]{32,86}$`),
      'must be whsec_ followed by 24 to 64 bytes in unpadded base64url',
    )
    .optional()
    .describe(
      'The signing secret: whsec_ followed by 24 to 64 bytes in base64url; by default, the server generates a secret',
    ),
});

const profile = profileInputSchema.extend({ id: pinnedId('prf_').optional() }).strict();

/* In a seed, a tenant has the fields that the control API accepts, and additional fields. */

const workspace = controlBodies.createWorkspace.omit({ organizationId: true }).extend({
  id: pinnedId('wsp_').optional(),
  slug: slugSchema,
  overrides: z
    .record(z.string(), z.enum(WORKSPACE_OVERRIDES))
    .default({})
    .describe(
      'The roles of users in this workspace, by email; they replace the roles in the organization; None denies access',
    ),
  apiKeys: z.array(credential('api_key')).default([]),
  endpoints: z.array(webhookEndpoint).max(ENDPOINTS_PER_WORKSPACE_MAX).default([]),
  profiles: z.array(profile).default([]),
  /** Whether the profiles start with the results of an evaluation at the time of seeding. */
  evaluated: z.boolean().default(false),
  dataSource: controlBodies.setDataSource.default({ kind: 'push' }),
});

const organization = controlBodies.createOrganization.extend({
  id: pinnedId('org_').optional(),
  slug: slugSchema,
  members: z.record(z.string(), z.enum(ROLES)).default({}).describe("The role of each member, by the member's email"),
  workspaces: z.array(workspace).default([]),
});

const user = controlBodies.createUser.extend({
  id: pinnedId('usr_').optional(),
  tokens: z.array(credential('personal_access_token')).default([]),
});

/** The format of a seed. Rejects unknown fields, because they are probably typos. */
export const seedSchema = z.strictObject({
  $schema: z.string().optional().describe('The URL of the JSON Schema of this file, for editors'),
  clock: z
    .strictObject({
      startAt: z.iso
        .datetime({ offset: true, error: INSTANT })
        .refine((at) => isWithinYears(Date.parse(at)), WITHIN_YEARS),
    })
    .optional()
    .describe(
      'The virtual clock starts at this time, and is frozen; by default, the clock starts at the real time and runs',
    ),
  users: z.array(user).default([]),
  organizations: z.array(organization).default([]),
  /** Event types to add to the published catalog. */
  eventTypes: z
    .array(
      z.strictObject({
        type: z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/),
        category: lineSchema(0, EVENT_TYPE_TEXT_MAX),
        description: lineSchema(0, EVENT_TYPE_TEXT_MAX),
      }),
    )
    .default([]),
});

export type Seed = z.output<typeof seedSchema>;
export type SeedInput = z.input<typeof seedSchema>;
export type SeedWorkspace = Seed['organizations'][number]['workspaces'][number];
export type SeedEndpoint = SeedWorkspace['endpoints'][number];

/** Names and array indexes. */
export type SeedPath = readonly (string | number)[];

export interface SeedProblem {
  path: SeedPath;
  problem: string;
}

export function createSeedJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(seedSchema, { io: 'input', unrepresentable: 'any', target: 'draft-07' }),
    title: 'Seed of @svc/mock-server',
  };
}
