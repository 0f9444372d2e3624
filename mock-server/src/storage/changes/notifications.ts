import type { Instant } from '../../domain/instant.ts';
import { resolveWorkspaceRole } from '../../domain/permissions.ts';
import type { Ids } from '../../runtime/ids.ts';
import { insertRows } from '../many-rows.ts';
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

/** Notifies all users with `workspace:developer:read`. Every role includes it, so these are all users with access. */
export async function notifyDevelopers(queries: Queries, ids: Ids, notice: EndpointNotice): Promise<void> {
  const members = await listWorkspaceMembers(queries, notice.workspaceId);
  const users = members.filter(({ role, override }) => resolveWorkspaceRole(role, override));
  const notifications = users.map(({ user_id: userId }) => ({ id: ids.next('notification'), userId }));
  await insertRows(queries, 'notifications', notifications, {
    id: ['text', ({ id }) => id],
    user_id: ['text', ({ userId }) => userId],
    workspace_id: ['text', () => notice.workspaceId],
    type: ['text', () => notice.type],
    endpoint_id: ['text', () => notice.endpointId],
    created_at: ['bigint', () => notice.createdAt],
  });
  if (!notice.sendsEmails) return;
  await insertRows(queries, 'notification_emails', notifications, {
    notification_id: ['text', ({ id }) => id],
    due_at: ['bigint', () => notice.createdAt],
    attempt: ['integer', () => 0],
    lease_token: ['integer', () => 0],
  });
}
