import type { Queries } from '../port.ts';

/** Every attempt of a delivery in the order of their numbers, late ones among them, with the body that all of them sent; `undefined` where there is no such delivery. */
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
    // Not by id: each server draws its own, and where the clock stands still or was set back they rise in no common order.
    .orderBy('number')
    .orderBy('ended_at')
    .orderBy('id')
    .execute();
  return { body: delivery.body, attempts };
}
