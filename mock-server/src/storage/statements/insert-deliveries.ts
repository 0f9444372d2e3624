import type { Instant } from '../../runtime/clock.ts';
import { insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';
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
  created_at: 'bigint',
} as const;

const QUEUE_COLUMNS = {
  delivery_id: 'text',
  workspace_id: 'text',
  endpoint_id: 'text',
  payload_event_id: 'text',
  retry: 'integer',
  due_at: 'bigint',
  attempt: 'integer',
} as const;

const END_COLUMNS = {
  delivery_id: 'text',
  workspace_id: 'text',
  endpoint_id: 'text',
  status: 'text',
  attempt: 'integer',
  ended_at: 'bigint',
} as const;

/**
 * Inserts deliveries. Pending ones get a place in the lane of their endpoint, due at once, and the others their end. All
 * statements are sent together.
 */
export async function insertDeliveries(queries: Queries, deliveries: readonly NewDelivery[]): Promise<void> {
  const pending = deliveries.filter(({ status }) => status === 'pending');
  const ended = deliveries.filter(({ status }) => status !== 'pending');
  await together([
    insertRows(
      queries,
      'deliveries',
      DELIVERY_COLUMNS,
      deliveries.map(({ id, workspaceId, endpointId, eventId, payloadEventId, eventType, createdAt }) => [
        id,
        workspaceId,
        endpointId,
        eventId,
        payloadEventId,
        eventType,
        createdAt,
      ]),
    ),
    insertRows(
      queries,
      'delivery_ends',
      END_COLUMNS,
      ended.map(({ id, workspaceId, endpointId, status, createdAt }) => [
        id,
        workspaceId,
        endpointId,
        status,
        0,
        createdAt,
      ]),
    ),
    // Touch lanes before the queue. `touchLanes` explains why.
    touchLanes(queries, new Map(pending.map(({ endpointId, createdAt }) => [endpointId, createdAt]))),
    insertRows(
      queries,
      'delivery_queue',
      QUEUE_COLUMNS,
      pending.map(({ id, workspaceId, endpointId, payloadEventId, createdAt }) => [
        id,
        workspaceId,
        endpointId,
        payloadEventId,
        0,
        createdAt,
        0,
      ]),
    ),
  ]);
}
