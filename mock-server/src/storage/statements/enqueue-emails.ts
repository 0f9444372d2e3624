import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';

/** Queues emails about notifications, due at once. */
export async function enqueueEmails(
  queries: Queries,
  notificationIds: readonly string[],
  dueAt: Instant,
): Promise<void> {
  if (notificationIds.length === 0) return;
  await queries
    .insertInto('notification_emails')
    .values(notificationIds.map((id) => ({ notification_id: id, due_at: dueAt, attempt: 0, lease_token: 0 })))
    .execute();
}
