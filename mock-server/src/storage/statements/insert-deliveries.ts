import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import type { Queries } from '../port.ts';

/** A delivery to be enqueued, or, where its endpoint is inactive, only to be recorded. */
export interface NewDelivery {
  id: string;
  workspaceId: string;
  endpointId: string;
  /** The id that the delivery shows; of a replay, synthetic. */
  eventId: string;
  /** The event whose body is sent. */
  payloadEventId: string;
  eventType: string;
  status: 'pending' | 'disabled';
  createdAt: Instant;
}

/** Inserts the rows and, for pending ones, their places in the lanes of their endpoints: due at once. */
export async function insertDeliveries(queries: Queries, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await queries
    .insertInto('deliveries')
    .values(
      deliveries.map((delivery) => ({
        id: delivery.id,
        workspace_id: delivery.workspaceId,
        endpoint_id: delivery.endpointId,
        event_id: delivery.eventId,
        payload_event_id: delivery.payloadEventId,
        event_type: delivery.eventType,
        status: delivery.status,
        attempt: 0,
        created_at: delivery.createdAt,
        delivered_at: null,
        next_attempt_at: delivery.status === 'pending' ? delivery.createdAt : null,
        error: null,
        response_status: null,
        response_time_ms: null,
      })),
    )
    .execute();

  const pending = deliveries.filter((delivery) => delivery.status === 'pending');
  if (pending.length === 0) return;
  // The lane is touched before the queue, here and where a claim ends: on PostgreSQL the row lock makes the two wait
  // for each other, and no delivery can slip between the holder's last look at the queue and its release.
  await queries
    .insertInto('delivery_lanes')
    .values(
      [...new Map(pending.map((delivery) => [delivery.endpointId, delivery.createdAt]))].map(([endpointId, dueAt]) => ({
        endpoint_id: endpointId,
        head_due_at: dueAt,
        turn_at: dueAt,
        lease_token: 0,
        lease_until: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('endpoint_id').doUpdateSet({
        head_due_at: earlierOf('head_due_at'),
        turn_at: earlierOf('turn_at'),
      }),
    )
    .execute();
  await queries
    .insertInto('delivery_queue')
    .values(
      pending.map((delivery) => ({
        delivery_id: delivery.id,
        endpoint_id: delivery.endpointId,
        retry: 0,
        due_at: delivery.createdAt,
      })),
    )
    .execute();
}

/** What the lane has or what is inserted, whichever comes first; a lane that has nothing takes what is inserted. */
function earlierOf(column: 'head_due_at' | 'turn_at') {
  const known = sql.ref<number>(`delivery_lanes.${column}`);
  const inserted = sql.ref<number>(`excluded.${column}`);
  return sql<number>`case when ${known} <= ${inserted} then ${known} else ${inserted} end`;
}
