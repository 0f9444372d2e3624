import { sql } from 'kysely';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** What an attempt needs to know of its delivery. */
export interface DeliveryToSend {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventId: string;
  eventType: string;
  attemptsMade: number;
  /** The envelope, to the byte. */
  body: string;
}

/** Reads deliveries with their payload, in the order of the given ids; an id without a row is left out. */
export async function loadDeliveries(queries: Queries, ids: readonly string[]): Promise<DeliveryToSend[]> {
  if (ids.length === 0) return [];
  const given = givenRows(
    queries,
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<DeliveryToSend>`
    select deliveries.id, deliveries.endpoint_id as "endpointId", deliveries.workspace_id as "workspaceId",
      deliveries.event_id as "eventId", deliveries.event_type as "eventType", deliveries.attempt as "attemptsMade", events.body
    from deliveries join events on events.id = deliveries.payload_event_id
    where deliveries.id in (select given.value ->> 'id' from ${given})`.execute(queries);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
