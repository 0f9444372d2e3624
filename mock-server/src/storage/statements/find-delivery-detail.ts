import type { Queries } from '../port.ts';
import { findDelivery } from './find-delivery.ts';

/** A delivery with its event and its most recent attempt. Attempts that came back late stand in the log only. */
export async function findDeliveryDetail(queries: Queries, workspaceId: string, id: string) {
  const delivery = await findDelivery(queries, workspaceId, id);
  if (!delivery) return undefined;
  const event = await queries
    .selectFrom('events')
    .select(['body', 'subject_type', 'subject_id'])
    .where('id', '=', delivery.payload_event_id)
    .executeTakeFirst();
  const lastAttempt = await queries
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', id)
    // By its number and not by the highest id: each server draws ids of its own. A number that came back late stands twice.
    .where('number', '=', delivery.attempt)
    .where('late', '=', 0)
    .executeTakeFirst();
  return { delivery, event, lastAttempt };
}
