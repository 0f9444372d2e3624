import * as z from 'zod';
import { CREDENTIAL_KINDS } from '../credentials.ts';
import { USER_NAME_MAX_LENGTH } from '../limits.ts';
import type { Identity } from '../resources/identity.ts';
import { role, workspacePermission } from './organization.ts';
import { id, open, timestamp, trimmedLine } from './primitives.ts';

export const IdentitySchema = z.object({
  credential: z.object({
    id: z.union([id('apiKey'), id('personalAccessToken')]),
    kind: open(CREDENTIAL_KINDS),
    test: z.boolean(),
    createdAt: timestamp,
  }),
  user: z.object({ id: id('user'), email: z.string(), name: z.string() }).nullable(),
  workspace: z
    .object({
      id: id('workspace'),
      organizationId: id('organization'),
      slug: z.string(),
      name: z.string(),
      role: role.nullable(),
      permissions: z.array(workspacePermission),
    })
    .nullable(),
}) satisfies z.ZodType<Identity>;

/** The schema of a user's `name`. The name is trimmed before its length is checked. */
export const userNameSchema = trimmedLine(USER_NAME_MAX_LENGTH);
