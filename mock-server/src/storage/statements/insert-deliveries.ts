import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { insertRows } from '../many-rows.ts';
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

const DELIVERY_COLUMNS = {
  id: 'text',
  workspace_id: 'text',
  endpoint_id: 'text',
  event_id: 'text',
  payload_event_id: 'text',
  event_type: 'text',
  status: 'text',
  attempt: 'integer',
  created_at: 'bigint',
  next_attempt_at: 'bigint',
} as const;

const STATUS_COLUMNS = { workspace_id: 'text', endpoint_id: 'text', status: 'text', delivery_id: 'text' } as const;

const QUEUE_COLUMNS = { delivery_id: 'text', endpoint_id: 'text', retry: 'integer', due_at: 'bigint' } as const;

/** Inserts the rows and, for pending ones, their places in the lanes of their endpoints: due at once. */
export async function insertDeliveries(queries: Queries, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await insertRows(
    queries,
    'deliveries',
    DELIVERY_COLUMNS,
    deliveries.map(({ id, workspaceId, endpointId, eventId, payloadEventId, eventType, status, createdAt }) => [
      id,
      workspaceId,
      endpointId,
      eventId,
      payloadEventId,
      eventType,
      status,
      0,
      createdAt,
      status === 'pending' ? createdAt : null,
    ]),
  );
  await insertRows(
    queries,
    'delivery_statuses',
    STATUS_COLUMNS,
    deliveries.map(({ id, workspaceId, endpointId, status }) => [workspaceId, endpointId, status, id]),
  );

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
  await insertRows(
    queries,
    'delivery_queue',
    QUEUE_COLUMNS,
    pending.map(({ id, endpointId, createdAt }) => [id, endpointId, 0, createdAt]),
  );
}

/** What the lane has or what is inserted, whichever comes first; a lane that has nothing takes what is inserted. */
function earlierOf(column: 'head_due_at' | 'turn_at') {
  const known = sql.ref<number>(`delivery_lanes.${column}`);
  const inserted = sql.ref<number>(`excluded.${column}`);
  return sql<number>`case when ${known} <= ${inserted} then ${known} else ${inserted} end`;
}
