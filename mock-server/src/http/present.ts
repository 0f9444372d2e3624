import type { OrganizationId, Timestamp, Workspace, WorkspaceId } from '@svc/contract';
import type { Instant } from '../domain/instant.ts';
import type { WorkspaceTable } from '../storage/schema/tenants.ts';

export const toTimestamp = (instant: Instant): Timestamp => new Date(instant).toISOString();

export const toTimestampOrNull = (instant: Instant | null | undefined): Timestamp | null =>
  instant == null ? null : toTimestamp(instant);

export function presentWorkspace(row: WorkspaceTable): Workspace {
  return {
    id: row.id as WorkspaceId,
    name: row.name,
    organizationId: row.organization_id as OrganizationId,
    slug: row.slug,
    timezone: row.timezone,
    weekStartsOn: row.week_starts_on,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}
