import type { Instant } from '../../domain/instant.ts';
import { resolveWorkspaceRole } from '../../domain/permissions.ts';
import type { Ids } from '../../runtime/ids.ts';
import { insertAll } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { listWorkspaceMembers } from '../statements/organizations.ts';

export interface EndpointNotice {
  workspaceId: string;
  endpointId: string;
  /** The type of the event that the notice is about. */
  type: string;
  createdAt: Instant;
  sendsEmails?: boolean;
}

/**
 * Notifies all users with access to the workspace, because every role has the permission `workspace:developer:read`.
 */
export async function notifyDevelopers(queries: Queries, ids: Ids, notice: EndpointNotice): Promise<void> {
  const members = await listWorkspaceMembers(queries, notice.workspaceId);
  const users = members.filter(({ role, override }) => resolveWorkspaceRole(role, override));
  const { workspaceId: workspace_id, type, endpointId: endpoint_id, createdAt: created_at } = notice;
  const rows = users.map(({ user_id }) => {
    const id = ids.next('notification');
    return { id, user_id, workspace_id, type, endpoint_id, created_at };
  });
  await insertAll(queries, 'notifications', rows);
  if (!notice.sendsEmails) return;
  const emails = rows.map(({ id }) => ({ notification_id: id, due_at: created_at, attempt: 0, lease_token: 0 }));
  await insertAll(queries, 'notification_emails', emails);
}
