import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt, timeOfId } from '../../domain/id-time.ts';
import { listId } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * The deliveries of an event, or `undefined` if there is no such event. Reads only the part of the workspace's list
 * that can contain them.
 */
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
