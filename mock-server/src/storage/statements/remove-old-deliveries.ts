import { lowestIdAt, timeOfId } from '../../domain/id-time.ts';
import type { Instant } from '../../runtime/clock.ts';
import { listIdText } from '../dialect.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * Removes deliveries from before `before` with their attempts, then events that no delivery needs any more; the oldest
 * first, and at most `limit` of each, so that no transaction is long. What is still to be delivered stays, and so does
 * all that is younger than it.
 *
 * @returns whether there may be more to remove.
 */
export async function removeOldDeliveries(queries: Queries, before: Instant, limit: number): Promise<boolean> {
  // Ids rise with time: ranges of the primary keys, which cost the same however large the tables are.
  const found = await queries
    .selectFrom('deliveries')
    .select(['id', 'workspace_id', 'status'])
    .where('id', '<', lowestIdAt('webhookDelivery', before))
    .orderBy('id')
    .limit(limit)
    .execute();
  const oldest = found.findIndex(({ status }) => status === 'pending');
  const deliveries = oldest === -1 ? found : found.slice(0, oldest);
  const until = oldest === -1 ? before : Math.min(before, timeOfId(found[oldest]?.id ?? ''));
  const ids = deliveries.map(({ id }) => id);
  if (ids.length > 0) {
    await queries.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
    await removeStatuses(queries, deliveries);
    await queries.deleteFrom('deliveries').where('id', 'in', ids).execute();
  }
  if (ids.length === limit) return true;

  // Only now: a delivery is never older than its event, so what goes here has none left but replays.
  const firstEventKept = lowestIdAt('event', until);
  const removedReplays = await queries
    .deleteFrom('replayed_events')
    .where('id', 'in', (eb) =>
      eb.selectFrom('replayed_events').select('id').where('id', '<', firstEventKept).orderBy('id').limit(limit),
    )
    .executeTakeFirst();
  const removedEvents = await queries
    .deleteFrom('events')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select('events.id')
        .where('events.id', '<', firstEventKept)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('replayed_events')
                .select('replayed_events.id')
                .whereRef('replayed_events.original_event_id', '=', 'events.id'),
            ),
          ),
        )
        .orderBy('events.id')
        .limit(limit),
    )
    .executeTakeFirst();
  return [removedReplays, removedEvents].some(({ numDeletedRows }) => Number(numDeletedRows) === limit);
}

async function removeStatuses(
  queries: Queries,
  deliveries: readonly { id: string; workspace_id: string; status: string }[],
): Promise<void> {
  const rows = deliveries.map(({ workspace_id, status, id }) => [workspace_id, status, id]);
  const id = listIdText(queries, 'delivery_id');
  await runForRows(queries, { workspace: 'text', state: 'text', id: 'text' }, rows, {
    sqlite: `delete from delivery_statuses where workspace_id = ? and status = ? and ${id} = ?`,
    postgres: (given) =>
      `delete from delivery_statuses using ${given} where workspace_id = workspace and status = state and ${id} = given.id`,
  });
}
