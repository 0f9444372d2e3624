import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { isLeaseFree, leasing, listId, skippingLockedRows } from '../dialect.ts';
import { type Bound, rowsFrom } from '../keyset.ts';
import type { Queries } from '../port.ts';
import { findMembership } from './organizations.ts';

/** Lists a user's notifications, newest first. Without `userId`, lists all notifications, using the primary key. */
export async function listNotifications(queries: Queries, userId: string | undefined, bound: Bound, limit: number) {
  return await queries
    .selectFrom('notifications')
    .selectAll()
    .$if(userId !== undefined, (query) => query.where('user_id', '=', String(userId)))
    .$call(rowsFrom(bound, limit, userId === undefined ? 'id' : listId(queries)))
    .execute();
}

/** An email that the caller has claimed. Until the lease ends, only the caller may send the email. */
export interface ClaimedEmail {
  notificationId: string;
  /** A fencing token. */
  token: number;
  /** The number of attempts made before this claim. */
  attempt: number;
}

export async function claimEmails(queries: Queries, claim: { now: Instant; leaseMs: number; limit: number }) {
  const { rows } = await sql<ClaimedEmail>`
    with chosen as materialized (
      select notification_id from notification_emails
      where due_at <= ${claim.now} and ${isLeaseFree(queries)}
      order by due_at limit ${claim.limit} ${skippingLockedRows(queries)}
    )
    update notification_emails set ${leasing(queries, claim.leaseMs)}
    where notification_id in (select notification_id from chosen)
    returning notification_id as "notificationId", lease_token as token, attempt`.execute(queries);
  return rows;
}

/** Returns undefined if the notification, user or workspace does not exist, or if the user has no access. */
export async function findEmailContent(queries: Queries, notificationId: string) {
  const found = await queries
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'notifications.workspace_id')
    .leftJoin('webhook_endpoints', 'webhook_endpoints.id', 'notifications.endpoint_id')
    .select([
      'users.email as to',
      'users.name as userName',
      'workspaces.name as workspaceName',
      'notifications.type as type',
      'notifications.endpoint_id as endpointId',
      'notifications.created_at as createdAt',
      'webhook_endpoints.url as endpointUrl',
      'users.id as userId',
      'workspaces.id as workspaceId',
    ])
    .where('notifications.id', '=', notificationId)
    .executeTakeFirst();
  if (!found) return undefined;
  const { userId, workspaceId, ...content } = found;
  return (await findMembership(queries, userId, workspaceId)) && content;
}

/** Deletes an email that needs no further attempt, unless the lease was lost. */
export async function removeEmail(queries: Queries, { notificationId, token }: ClaimedEmail): Promise<void> {
  await queries
    .deleteFrom('notification_emails')
    .where('notification_id', '=', notificationId)
    .where('lease_token', '=', token)
    .execute();
}

/** Postpones an email until its next attempt, unless the lease was lost. */
export async function postponeEmail(queries: Queries, email: ClaimedEmail, dueAt: Instant): Promise<void> {
  await queries
    .updateTable('notification_emails')
    .set({ due_at: dueAt, attempt: email.attempt + 1, lease_until: null })
    .where('notification_id', '=', email.notificationId)
    .where('lease_token', '=', email.token)
    .execute();
}
