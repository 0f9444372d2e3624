import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { isLeaseFree, leasing, skippingLockedRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

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
