import * as z from 'zod';
import { PICTURE_URL_MAX_LENGTH } from '../limits.ts';
import type { OrganizationPermission, WorkspacePermission } from '../permissions.ts';
import { ORGANIZATION_AREAS, ROLES, WORKSPACE_AREAS } from '../permissions.ts';
import type { EmbeddedWorkspace, Organization } from '../resources/organization.ts';
import { id, isAbsoluteHttpUrl, mayBeAbsent, open } from './primitives.ts';

export const role = open(ROLES);

const both = <Area extends string>(area: Area) => [`${area}:read`, `${area}:write`] as const;

export const organizationPermission = open(
  ORGANIZATION_AREAS.flatMap((area) => both(`org:${area}`)) as [OrganizationPermission],
);

export const workspacePermission = open(
  WORKSPACE_AREAS.flatMap((area) => both(`workspace:${area}`)) as [WorkspacePermission],
);

export const EmbeddedWorkspaceSchema = z.object({
  id: id('workspace'),
  slug: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  role,
  implicit: z.boolean(),
  permissions: z.array(workspacePermission),
}) satisfies z.ZodType<EmbeddedWorkspace>;

export const OrganizationSchema = z.object({
  id: id('organization'),
  slug: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  role,
  permissions: z.array(organizationPermission),
  workspaces: mayBeAbsent(z.array(EmbeddedWorkspaceSchema)),
}) satisfies z.ZodType<Organization>;

/** The URL of an organization's `logo` or a workspace's `image`. */
export const pictureUrlSchema = z
  .string()
  .max(PICTURE_URL_MAX_LENGTH)
  .refine(isAbsoluteHttpUrl, 'must be an absolute http or https URL')
  .meta({ format: 'uri' });
