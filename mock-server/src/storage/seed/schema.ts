import { ROLES, WEBHOOK_SECRET_PREFIX, WORKSPACE_OVERRIDES } from '@svc/contract';
import {
  CreateWebhookEndpointBodySchema,
  pictureUrlSchema,
  slugSchema,
  timezoneSchema,
  userNameSchema,
  workspaceNameSchema,
} from '@svc/contract/schemas';
import { z } from 'zod';
import { credentialKindOf } from '../../domain/credential.ts';
import { profileInputSchema } from '../../domain/profiles/profile-input.ts';

const pinnedId = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[A-Za-z0-9]{1,64}$`), `must begin with ${prefix}`);

const credential = (kind: 'api_key' | 'personal_access_token') =>
  z.strictObject({
    name: z.string().optional(),
    /** Drawn at random and printed where it is left out. */
    credential: z
      .string()
      .max(200)
      .regex(/^\S+$/)
      .refine((text) => credentialKindOf(text)?.kind === kind, `must be the text of a credential of kind ${kind}`)
      .optional(),
    test: z.boolean().default(true),
  });

const webhookEndpoint = z.strictObject({
  id: pinnedId('whe_').optional(),
  url: CreateWebhookEndpointBodySchema.shape.url,
  subscribedEvents: z.array(z.string()).min(1).max(100).default(['*']),
  description: z.string().max(500).optional(),
  active: z.boolean().default(true),
  /** Pinned signing secret, `whsec_` and 24 to 64 bytes in base64url. */
  secret: z
    .string()
    .regex(
      new RegExp(`^${WEBHOOK_SECRET_PREFIX}[A-Za-z0-9_-]{32,86}$`),
      'must be whsec_ and 24 to 64 bytes in base64url, unpadded',
    )
    .optional(),
});

const profile = profileInputSchema.extend({ id: pinnedId('prf_').optional() }).strict();

const dataSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('push') }),
  z.strictObject({
    kind: z.literal('ndjson'),
    location: z.string().min(1).max(2_048),
    schedule: z.string().nullable().default(null),
  }),
]);

const workspace = z.strictObject({
  id: pinnedId('wsp_').optional(),
  slug: slugSchema,
  name: workspaceNameSchema,
  image: pictureUrlSchema.nullable().default(null),
  timezone: timezoneSchema.nullable().default(null),
  weekStartsOn: z.int().min(0).max(6).nullable().default(null),
  /** Roles by the user's email that replace the organization's in this workspace. */
  overrides: z.record(z.string(), z.enum(WORKSPACE_OVERRIDES)).default({}),
  apiKeys: z.array(credential('api_key')).default([]),
  endpoints: z.array(webhookEndpoint).default([]),
  profiles: z.array(profile).default([]),
  /** Whether the profiles come with state, scores and signals, as an evaluation makes them at the time of the seed. */
  evaluated: z.boolean().default(false),
  dataSource: dataSource.default({ kind: 'push' }),
});

const organization = z.strictObject({
  id: pinnedId('org_').optional(),
  slug: slugSchema,
  name: workspaceNameSchema,
  logo: pictureUrlSchema.nullable().default(null),
  /** Roles by the user's email. */
  members: z.record(z.string(), z.enum(ROLES)).default({}),
  workspaces: z.array(workspace).default([]),
});

const user = z.strictObject({
  id: pinnedId('usr_').optional(),
  email: z.email(),
  name: userNameSchema,
  tokens: z.array(credential('personal_access_token')).default([]),
});

/** What a seed file holds. Unknown fields are refused: a typing mistake must not go by unseen. */
export const seedSchema = z.strictObject({
  users: z.array(user).default([]),
  organizations: z.array(organization).default([]),
  /** Added to the published catalog. */
  eventTypes: z
    .array(
      z.strictObject({
        type: z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/),
        category: z.string(),
        description: z.string(),
      }),
    )
    .default([]),
});

export type Seed = z.output<typeof seedSchema>;
export type SeedInput = z.input<typeof seedSchema>;
