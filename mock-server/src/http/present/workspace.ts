import type { OrganizationId, UpdatedWorkspace, Workspace, WorkspaceId } from '@svc/contract';
import type { WorkspaceTable } from '../../storage/schema/tenants.ts';
import { toTimestamp } from './timestamp.ts';

export function presentUpdatedWorkspace(row: WorkspaceTable): UpdatedWorkspace {
  return {
    id: row.id as WorkspaceId,
    name: row.name,
    slug: row.slug,
    timezone: row.timezone,
    weekStartsOn: row.week_starts_on,
  };
}

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
