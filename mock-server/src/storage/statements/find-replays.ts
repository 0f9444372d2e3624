import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt, timeOfId } from '../../domain/id-time.ts';
import { listId } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A delivery, as far as its replays go. */
export interface ReplayedDelivery {
  id: string;
  workspace_id: string;
  endpoint_id: string;
  payload_event_id: string;
}

/**
 * The other deliveries of an event to one endpoint, oldest first: the first one, and those among the newest `limit`
 * replays of the event. The index `replayed_events_by_original` finds the replays. The index `deliveries_by_endpoint` finds
 * their deliveries, near the times of their event ids.
 */
export async function findReplays(queries: Queries, delivery: ReplayedDelivery, limit: number) {
  const original = delivery.payload_event_id;
  const replays = await queries
    .selectFrom('replayed_events')
    .select('id')
    .where('original_event_id', '=', original)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const eventIds = [original, ...replays.map(({ id }) => id)];
  const id = listId(queries);
  const found = [];
  for (const { from, to } of spansOf(eventIds.map(timeOfId))) {
    const rows = await queries
      .selectFrom('deliveries')
      .select(['id', 'event_id', 'endpoint_id', 'status', 'attempt', 'created_at'])
      .where('workspace_id', '=', delivery.workspace_id)
      .where('endpoint_id', '=', delivery.endpoint_id)
      .where(id, '>=', lowestIdAt('webhookDelivery', from))
      .where(id, '<=', highestIdAt('webhookDelivery', to))
      .where('event_id', 'in', eventIds)
      .orderBy(id)
      .execute();
    found.push(...rows);
  }
  return found.filter((row) => row.id !== delivery.id);
}

/** The spans of time in which deliveries of these instants may be, those that overlap as one. */
function spansOf(instants: readonly number[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const at of instants.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && at - DRAWN_WITHIN_MS <= last.to) last.to = at + DRAWN_WITHIN_MS;
    else spans.push({ from: at - DRAWN_WITHIN_MS, to: at + DRAWN_WITHIN_MS });
  }
  return spans;
}
