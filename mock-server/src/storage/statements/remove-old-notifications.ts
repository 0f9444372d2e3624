import { lowestIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { findOldestIds } from './find-oldest-ids.ts';

/** Deletes notifications from before `before`, oldest first, at most `limit`. @returns whether there may be more. */
export async function removeOldNotifications(queries: Queries, before: Instant, limit: number): Promise<boolean> {
  const ids = await findOldestIds(queries, 'notifications', lowestIdAt('notification', before), limit);
  // Few have a queued email, and each is found by its key.
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
