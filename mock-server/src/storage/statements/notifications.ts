import { sql } from 'kysely';
import { lowestIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Ids } from '../../runtime/ids.ts';
import { isLeaseFree, leasing, listId, skippingLockedRows } from '../dialect.ts';
import { type Bound, idComparison, idOrder } from '../keyset.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { findOldestIds } from './ids.ts';

/**
 * Notifications, newest first. Notifications of one user come from the index by user, those of all users from the
 * primary key.
 */
export async function listNotifications(queries: Queries, userId: string | undefined, bound: Bound, limit: number) {
  const id = userId === undefined ? sql<string>`id` : listId(queries);
  return await queries
    .selectFrom('notifications')
    .selectAll()
    .$if(userId !== undefined, (query) => query.where('user_id', '=', String(userId)))
    .$if(bound.key !== undefined, (query) => query.where(id, idComparison(bound), String(bound.key)))
    .orderBy(id, idOrder(bound))
    .limit(limit)
    .execute();
}

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
  if (!notice.sendsEmails) return;
  await queries
    .insertInto('notification_emails')
    .values(
      notificationIds.map((id) => ({ notification_id: id, due_at: notice.createdAt, attempt: 0, lease_token: 0 })),
    )
    .execute();
}

/** Deletes notifications from before `before`, oldest first, at most `limit`. @returns whether there may be more. */
export async function removeOldNotifications(queries: Queries, before: Instant, limit: number): Promise<boolean> {
  const ids = await findOldestIds(queries, 'notifications', lowestIdAt('notification', before), limit);
  // Few notifications have a queued email, and each email is found by its key.
  await runForRows(
    queries,
    { id: 'text' },
    ids.map((id) => [id]),
    {
      sqlite: 'delete from notification_emails where notification_id = ?',
      postgres: (given) => `delete from notification_emails using ${given} where notification_id = given.id`,
    },
  );
  if (ids.length > 0) await queries.deleteFrom('notifications').where('id', 'in', ids).execute();
  return ids.length === limit;
}

/** An email that only the caller may send until the lease ends. */
export interface ClaimedEmail {
  notificationId: string;
  /** Fencing token of this claim. */
  token: number;
  /** Attempts made before this claim. */
  attempt: number;
}

/** Claims due emails, earliest first, from the index by due time. */
export async function claimEmails(
  queries: Queries,
  claim: { now: Instant; leaseMs: number; limit: number },
): Promise<ClaimedEmail[]> {
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

/** The content of an email, or undefined if its notification, user or workspace no longer exists. */
export async function findEmailContent(queries: Queries, notificationId: string) {
  return await queries
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
    ])
    .where('notifications.id', '=', notificationId)
    .executeTakeFirst();
}

/** Deletes an email that was sent or given up, unless the lease was lost. */
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

/**
 * Ends all leases. Only for a database that a single process owns, where every lease is from a process that is gone.
 */
export async function clearEmailLeases(queries: Queries): Promise<void> {
  await queries.updateTable('notification_emails').set({ lease_until: null }).execute();
}

/** When the next email is due after an instant. */
export async function findNextEmailDueAfter(queries: Queries, at: Instant): Promise<Instant | undefined> {
  const row = await queries
    .selectFrom('notification_emails')
    .select('due_at')
    .where('due_at', '>', at)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at;
}
