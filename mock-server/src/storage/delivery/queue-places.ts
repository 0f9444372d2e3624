import type { Instant } from '../../domain/instant.ts';
import { isPostgres } from '../dialect.ts';
import { type ColumnsOf, isKey, runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/**
 * A delivery's place in the queue, which is the queue's primary key. `insertDeliveries` puts a delivery at its first
 * place, and `storeResults` moves the delivery to the place of its next retry.
 */
export interface QueuePlace {
  endpointId: string;
  /** 0 for a first attempt, 1 for a retry. */
  retry: number;
  dueAt: Instant;
  deliveryId: string;
}

export interface DeliveryToSend {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventId: string;
  /** Empty if the event is missing. This should never happen: events are kept as long as their deliveries. */
  eventType: string;
  attemptsMade: number;
  /** The envelope, byte for byte. Null if the event is missing. */
  body: string | null;
  /** The trace context of the span in which the event was accepted. Null without tracing. */
  traceparent: string | null;
  place: QueuePlace;
}

/** One part of a lane: its first attempts or its retries. */
export interface PartOfLane {
  endpointId: string;
  retry: number;
  /** The read starts after this place. Default: the read starts at the head. */
  after?: QueuePlace | undefined;
  limit: number;
}

type Row = QueuePlace & Omit<DeliveryToSend, 'id' | 'place'>;

const PLACE = `head.endpoint_id as "endpointId", head.retry, head.due_at as "dueAt", head.delivery_id as "deliveryId"`;

/** Finds due deliveries, earliest first within each part. */
export const findDuePlaces = (queries: Queries, parts: readonly PartOfLane[], now: Instant): Promise<QueuePlace[]> =>
  selectDue(queries, parts, now, { select: PLACE, join: '' });

/**
 * Reads due deliveries with all fields that an attempt needs, earliest first. Each part costs one lookup in the queue's
 * index, regardless of how many deliveries are waiting.
 */
export async function loadDueDeliveries(queries: Queries, parts: readonly PartOfLane[], now: Instant) {
  const found = await selectDue<Row>(queries, parts, now, {
    select: `${PLACE}, head.workspace_id as "workspaceId", head.payload_event_id as "eventId",
      head.attempt as "attemptsMade", coalesce(events.type, '') as "eventType", events.body, events.traceparent`,
    join: 'left join events on events.id = head.payload_event_id',
  });
  return found.map(toDelivery).sort(inOrder);
}

function selectDue<Found>(
  queries: Queries,
  parts: readonly PartOfLane[],
  now: Instant,
  { select, join }: { select: string; join: string },
): Promise<Found[]> {
  const columns: ColumnsOf<PartOfLane> = {
    endpoint: ['text', ({ endpointId }) => endpointId],
    retry: ['integer', ({ retry }) => retry],
    now: ['bigint', () => now],
    after_due: ['bigint', ({ after }) => after?.dueAt ?? Number.MIN_SAFE_INTEGER],
    after_id: ['text', ({ after }) => after?.deliveryId ?? ''],
    room: ['integer', ({ limit }) => limit],
  };
  const places = `select endpoint_id, retry, due_at, delivery_id, workspace_id, payload_event_id, attempt
    from delivery_queue`;
  const order = 'order by due_at, delivery_id limit';
  return runForRows(queries, columns, parts, {
    sqlite: `select ${select} from (
      ${places} where endpoint_id = ? and retry = ? and due_at <= ? and (due_at, delivery_id) > (?, ?) ${order} ?) as head ${join}`,
    postgres: (given) => `select ${select} from ${given} cross join lateral (
      ${places} where endpoint_id = given.endpoint and retry = given.retry and due_at <= given.now
        and (due_at, delivery_id) > (given.after_due, given.after_id) ${order} given.room) as head ${join}`,
  });
}

function toDelivery({ endpointId, retry, dueAt, deliveryId, ...rest }: Row): DeliveryToSend {
  return { id: deliveryId, endpointId, ...rest, place: { endpointId, retry, dueAt, deliveryId } };
}

function inOrder({ place: a }: DeliveryToSend, { place: b }: DeliveryToSend): number {
  return a.dueAt - b.dueAt || (a.deliveryId < b.deliveryId ? -1 : 1);
}

const KEY: ColumnsOf<QueuePlace> = {
  endpoint: ['text', ({ endpointId }) => endpointId],
  retry: ['integer', ({ retry }) => retry],
  due: ['bigint', ({ dueAt }) => dueAt],
  id: ['text', ({ deliveryId }) => deliveryId],
};

/** Ends due deliveries to inactive or deleted endpoints. The due time of each delivery becomes its end time. */
export async function disableDeliveries(queries: Queries, places: readonly QueuePlace[]): Promise<void> {
  const kept = 'workspace_id, endpoint_id, delivery_id, attempt, response_status, response_time_ms, error';
  const insert = `insert into delivery_ends (${kept}, status, ended_at) select ${kept}, 'disabled', due_at`;
  const place = 'where endpoint_id = ? and retry = ? and due_at = ? and delivery_id = ?';
  await runForRows(queries, KEY, places, {
    sqlite: `${insert} from delivery_queue ${place}`,
    postgres: (given) => `
      with moved as (
        delete from delivery_queue as q using ${given}
        where ${isKey('q.endpoint_id', 'endpoint')} and q.retry = given.retry and q.due_at = due and q.delivery_id = given.id returning q.*
      ) ${insert} from moved`,
  });
  if (isPostgres(queries)) return;
  await runForRows(queries, KEY, places, { sqlite: `delete from delivery_queue ${place}`, postgres: () => '' });
}
