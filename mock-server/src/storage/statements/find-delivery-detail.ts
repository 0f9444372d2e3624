import type { Queries } from '../port.ts';
import { findDelivery } from './find-delivery.ts';

/** A delivery with its event and its latest attempt. Late attempts are only in the log. */
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
    // By number, not by the highest id, because each server generates its own ids. The log may also have a late attempt
    // with the same number.
    .where('number', '=', delivery.attempt)
    .where('late', '=', 0)
    .executeTakeFirst();
  return { delivery, event, lastAttempt };
}
