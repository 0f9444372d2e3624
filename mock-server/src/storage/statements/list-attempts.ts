import type { Queries } from '../port.ts';

/**
 * All attempts of a delivery by number, including late ones, with the body that all of them sent. `undefined` if there
 * is no such delivery.
 */
export async function listAttempts(queries: Queries, deliveryId: string) {
  const delivery = await queries
    .selectFrom('deliveries')
    .leftJoin('events', 'events.id', 'deliveries.payload_event_id')
    .select('events.body')
    .where('deliveries.id', '=', deliveryId)
    .executeTakeFirst();
  if (!delivery) return undefined;
  const attempts = await queries
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    // Not by id, because each server generates its own ids. If the clock stops or goes back, ids of two servers have no
    // common order.
    .orderBy('number')
    .orderBy('ended_at')
    .orderBy('id')
    .execute();
  return { body: delivery.body, attempts };
}
