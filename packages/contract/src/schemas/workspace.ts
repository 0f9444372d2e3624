import * as z from 'zod';
import { WEEK_STARTS_ON } from '../limits.ts';
import type { UpdatedWorkspace, Workspace } from '../resources/workspace.ts';
import { id, timestamp } from './primitives.ts';

export const weekStartsOnSchema = z.int().min(WEEK_STARTS_ON.min).max(WEEK_STARTS_ON.max);

const workspaceShape = z.object({
  id: id('workspace'),
  name: z.string(),
  organizationId: id('organization'),
  slug: z.string(),
  timezone: z.string().nullable(),
  weekStartsOn: weekStartsOnSchema.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const WorkspaceSchema = workspaceShape satisfies z.ZodType<Workspace>;

export const UpdatedWorkspaceSchema = workspaceShape.pick({
  id: true,
  name: true,
  slug: true,
  timezone: true,
  weekStartsOn: true,
}) satisfies z.ZodType<UpdatedWorkspace>;
