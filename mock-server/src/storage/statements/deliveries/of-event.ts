import { sql } from 'kysely';
import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt, timeOfId } from '../../../domain/id-time.ts';
import { listId } from '../../dialect.ts';
import type { Queries } from '../../port.ts';
import { DELIVERY_COLUMNS, readDeliveries, type StoredDelivery } from './read.ts';

/** Finds the deliveries of an event. Returns `undefined` if there is no such event. */
export async function findDeliveriesOfEvent(queries: Queries, eventId: string): Promise<StoredDelivery[] | undefined> {
  const event = await queries.selectFrom('events').select('workspace_id').where('id', '=', eventId).executeTakeFirst();
  return event && (await findDeliveriesOfEvents(queries, event.workspace_id, [eventId]));
}

/**
 * Finds the other deliveries of an event to one endpoint, oldest first: the first delivery, and the deliveries of the
 * newest `limit` replays of the event. The index `replayed_events_by_original` finds the replays.
 */
export async function findReplays(
  queries: Queries,
  delivery: Pick<StoredDelivery, 'id' | 'workspace_id' | 'endpoint_id' | 'payload_event_id'>,
  limit: number,
): Promise<StoredDelivery[]> {
  const original = delivery.payload_event_id;
  const replays = await queries
    .selectFrom('replayed_events')
    .select('id')
    .where('original_event_id', '=', original)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const eventIds = [original, ...replays.map(({ id }) => id)];
  const found = await findDeliveriesOfEvents(queries, delivery.workspace_id, eventIds);
  return found.filter((row) => row.endpoint_id === delivery.endpoint_id && row.id !== delivery.id);
}

/**
 * Finds the deliveries of some events. Reads only those parts of the workspace's list that are near the times in the
 * events' ids.
 */
async function findDeliveriesOfEvents(
  queries: Queries,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<StoredDelivery[]> {
  const id = listId(queries, 'delivery.id');
  const found = [];
  for (const { from, to } of spansOf(eventIds.map(timeOfId))) {
    const chosen = sql`select ${DELIVERY_COLUMNS} from deliveries as delivery
      where workspace_id = ${workspaceId} and event_id in (${sql.join(eventIds)})
        and ${id} >= ${lowestIdAt('webhookDelivery', from)} and ${id} <= ${highestIdAt('webhookDelivery', to)}`;
    found.push(...(await readDeliveries(queries, chosen)));
  }
  return found;
}

/** The time spans that may contain deliveries of events from these instants. Overlapping spans are merged. */
function spansOf(instants: readonly number[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const at of instants.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && at - DRAWN_WITHIN_MS <= last.to) last.to = at + DRAWN_WITHIN_MS;
    else spans.push({ from: at - DRAWN_WITHIN_MS, to: at + DRAWN_WITHIN_MS });
  }
  return spans;
}
