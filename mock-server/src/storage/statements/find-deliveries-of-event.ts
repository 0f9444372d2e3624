import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt, timeOfId } from '../../domain/id-time.ts';
import { listId } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** The deliveries of an event, from the part of its workspace's list where they must stand; `undefined` where there is no such event. */
export async function findDeliveriesOfEvent(queries: Queries, eventId: string) {
  const event = await queries.selectFrom('events').select('workspace_id').where('id', '=', eventId).executeTakeFirst();
  if (!event) return undefined;
  const at = timeOfId(eventId);
  const id = listId(queries);
  return await queries
    .selectFrom('deliveries')
    .selectAll()
    .where('workspace_id', '=', event.workspace_id)
    .where(id, '>=', lowestIdAt('webhookDelivery', at - DRAWN_WITHIN_MS))
    .where(id, '<=', highestIdAt('webhookDelivery', at + DRAWN_WITHIN_MS))
    .where('event_id', '=', eventId)
    .orderBy(id)
    .execute();
}
