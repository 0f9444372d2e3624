import { matchesEventPattern } from '@svc/contract';
import type { NewEvent } from '../../domain/event-envelope.ts';
import { DRAWN_WITHIN_MS } from '../../domain/id-time.ts';
import type { Clock, Instant } from '../../domain/instant.ts';
import type { Ids } from '../../runtime/ids.ts';
import { type ColumnsOf, insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { insertEvents } from '../statements/events.ts';
import { together } from '../together.ts';
import { touchLanes } from './lane-turns.ts';

/**
 * Stores events and, for each event, a delivery to every endpoint that is subscribed to the event. A delivery to an
 * inactive endpoint is `disabled` (service document, "Webhook delivery status"). A workspace has at most 100 endpoints,
 * so all of them are matched in JavaScript.
 *
 * @returns the deliveries of each event, in the order of the events.
 */
export async function acceptEvents(
  queries: Queries,
  { ids, clock }: { ids: Ids; clock: Clock },
  events: readonly NewEvent[],
): Promise<NewDelivery[][]> {
  // Insert the events before reading the endpoints: the insert waits for a running reset, which may remove endpoints.
  const [, endpoints] = await together([
    insertEvents(queries, events),
    queries
      .selectFrom('webhook_endpoints')
      .select(['id', 'workspace_id', 'active', 'subscribed_events'])
      .where('workspace_id', 'in', [...new Set(events.map(({ workspaceId }) => workspaceId))])
      .orderBy('id')
      .execute(),
  ]);
  const byWorkspace = Map.groupBy(
    endpoints.map((endpoint) => ({ ...endpoint, patterns: JSON.parse(endpoint.subscribed_events) as string[] })),
    (endpoint) => endpoint.workspace_id,
  );
  const now = clock.now();
  // A list that filters by creation time reads only ids with times near the filter's time, and new ids contain the
  // current time. So a delivery gets its event's creation time only if that time is near the current time. Otherwise,
  // the delivery gets the current time.
  const createdWith = ({ createdAt }: NewEvent) => (Math.abs(now - createdAt) < DRAWN_WITHIN_MS / 2 ? createdAt : now);
  const deliveries = events.map((event) =>
    (byWorkspace.get(event.workspaceId) ?? [])
      .filter(({ patterns }) => patterns.some((pattern) => matchesEventPattern(pattern, event.type)))
      .map(
        (endpoint): NewDelivery => ({
          id: ids.next('webhookDelivery'),
          workspaceId: event.workspaceId,
          endpointId: endpoint.id,
          eventId: event.id,
          payloadEventId: event.id,
          eventType: event.type,
          status: endpoint.active ? 'pending' : 'disabled',
          createdAt: createdWith(event),
        }),
      ),
  );
  await insertDeliveries(queries, deliveries.flat());
  return deliveries;
}

/** `status` is `disabled` if the endpoint is inactive. */
export interface NewDelivery {
  id: string;
  workspaceId: string;
  endpointId: string;
  /** The event id that the API shows. A replay has a synthetic event id. */
  eventId: string;
  /** The event whose body is sent. */
  payloadEventId: string;
  eventType: string;
  status: 'pending' | 'disabled';
  createdAt: Instant;
}

const KEY: ColumnsOf<NewDelivery> = {
  delivery_id: ['text', ({ id }) => id],
  workspace_id: ['text', ({ workspaceId }) => workspaceId],
  endpoint_id: ['text', ({ endpointId }) => endpointId],
};

/** Stores deliveries. Pending deliveries are due immediately. */
export async function insertDeliveries(queries: Queries, deliveries: readonly NewDelivery[]): Promise<void> {
  const pending = deliveries.filter(({ status }) => status === 'pending');
  const ended = deliveries.filter(({ status }) => status !== 'pending');
  await together([
    insertRows(queries, 'deliveries', deliveries, {
      id: ['text', ({ id }) => id],
      workspace_id: ['text', ({ workspaceId }) => workspaceId],
      endpoint_id: ['text', ({ endpointId }) => endpointId],
      event_id: ['text', ({ eventId }) => eventId],
      payload_event_id: ['text', ({ payloadEventId }) => payloadEventId],
      event_type: ['text', ({ eventType }) => eventType],
      created_at: ['bigint', ({ createdAt }) => createdAt],
    }),
    insertRows(queries, 'delivery_ends', ended, {
      ...KEY,
      status: ['text', ({ status }) => status],
      attempt: ['integer', () => 0],
      ended_at: ['bigint', ({ createdAt }) => createdAt],
    }),
    // Update the lanes before the queue. `touchLanes` explains why.
    touchLanes(queries, firstDueByEndpoint(pending)),
    insertRows(queries, 'delivery_queue', pending, {
      ...KEY,
      payload_event_id: ['text', ({ payloadEventId }) => payloadEventId],
      retry: ['integer', () => 0],
      due_at: ['bigint', ({ createdAt }) => createdAt],
      attempt: ['integer', () => 0],
    }),
  ]);
}

/** The result is sorted by endpoint id: all transactions must lock lanes in this order. */
function firstDueByEndpoint(deliveries: readonly NewDelivery[]): Map<string, Instant> {
  const byEndpoint = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
  return new Map(
    [...byEndpoint.keys()]
      .sort()
      .map((id) => [id, Math.min(...(byEndpoint.get(id) ?? []).map(({ createdAt }) => createdAt))]),
  );
}
