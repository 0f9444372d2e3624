import type { Instant } from '../../runtime/clock.ts';
import { insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { listAsEnded } from './list-as-ended.ts';
import { touchLanes } from './touch-lanes.ts';

/** A delivery to queue. If its endpoint is inactive, it is only recorded. */
export interface NewDelivery {
  id: string;
  workspaceId: string;
  endpointId: string;
  /** The event id to show. Synthetic for a replay. */
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

const QUEUE_COLUMNS = {
  delivery_id: 'text',
  workspace_id: 'text',
  endpoint_id: 'text',
  retry: 'integer',
  due_at: 'bigint',
} as const;

/** Inserts deliveries. Pending ones also get a place in the lane of their endpoint, due at once. */
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
  await listAsEnded(
    queries,
    deliveries.filter(({ status }) => status !== 'pending'),
  );

  const pending = deliveries.filter((delivery) => delivery.status === 'pending');
  if (pending.length === 0) return;
  // Touch lanes before the queue. `touchLanes` explains why.
  await touchLanes(queries, new Map(pending.map(({ endpointId, createdAt }) => [endpointId, createdAt])));
  await insertRows(
    queries,
    'delivery_queue',
    QUEUE_COLUMNS,
    pending.map(({ id, workspaceId, endpointId, createdAt }) => [id, workspaceId, endpointId, 0, createdAt]),
  );
}
