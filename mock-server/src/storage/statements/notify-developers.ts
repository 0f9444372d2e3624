import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Queries } from '../port.ts';
import { enqueueEmails } from './enqueue-emails.ts';

/** A notice to the users of a workspace about one of its endpoints. */
export interface EndpointNotice {
  workspaceId: string;
  endpointId: string;
  /** The type of the related event. */
  type: string;
  createdAt: Instant;
  /** Whether users also get an email. */
  sendsEmails?: boolean;
}

/**
 * Stores one notification for each user who has `workspace:developer:read`. Every role includes it, so these are all
 * members of the organization, except those whom an override denies the workspace.
 */
export async function notifyDevelopers(queries: Queries, ids: Ids, notice: EndpointNotice): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select organization_members.user_id as "userId"
    from workspaces
    join organization_members on organization_members.organization_id = workspaces.organization_id
    left join workspace_overrides on workspace_overrides.workspace_id = workspaces.id
      and workspace_overrides.user_id = organization_members.user_id
    where workspaces.id = ${notice.workspaceId} and coalesce(workspace_overrides.role, organization_members.role) <> 'None'
    order by organization_members.user_id`.execute(queries);
  if (rows.length === 0) return;
  const notificationIds = rows.map(() => ids.next('notification'));
  await queries
    .insertInto('notifications')
    .values(
      rows.map(({ userId }, index) => ({
        id: String(notificationIds[index]),
        user_id: userId,
        workspace_id: notice.workspaceId,
        type: notice.type,
        endpoint_id: notice.endpointId,
        created_at: notice.createdAt,
      })),
    )
    .execute();
  if (notice.sendsEmails) await enqueueEmails(queries, notificationIds, notice.createdAt);
}
