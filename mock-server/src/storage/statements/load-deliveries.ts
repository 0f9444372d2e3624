import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import type { QueuePlace } from './find-due-deliveries.ts';

/** What an attempt needs to know of its delivery. */
export interface DeliveryToSend {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventId: string;
  eventType: string;
  attemptsMade: number;
  /** The envelope, to the byte; null where its event is lost, which nothing here does. */
  body: string | null;
  /** Of the span that accepted the event, where somebody traced. */
  traceparent: string | null;
  /** Where it stands in the queue. */
  place: QueuePlace;
}

/** Reads deliveries with their payload, in the order of the given places; one without a row is left out. */
export async function loadDeliveries(queries: Queries, places: readonly QueuePlace[]): Promise<DeliveryToSend[]> {
  const rows = places.map(({ deliveryId }) => [deliveryId]);
  const select = `select deliveries.id, deliveries.endpoint_id as "endpointId", deliveries.workspace_id as "workspaceId",
      deliveries.event_id as "eventId", deliveries.event_type as "eventType", deliveries.attempt as "attemptsMade", events.body, events.traceparent
    from`;
  const join = 'left join events on events.id = deliveries.payload_event_id';
  const found = await runForRows<Omit<DeliveryToSend, 'place'>>(queries, { id: 'text' }, rows, {
    sqlite: `${select} deliveries ${join} where deliveries.id = ?`,
    postgres: (given) => `${select} ${given} join deliveries on deliveries.id = given.id ${join}`,
  });
  const byId = new Map(found.map((delivery) => [delivery.id, delivery]));
  return places.flatMap((place) => {
    const delivery = byId.get(place.deliveryId);
    return delivery ? { ...delivery, place } : [];
  });
}
