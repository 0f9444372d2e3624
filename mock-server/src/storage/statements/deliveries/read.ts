import { DELIVERY_STATUSES } from '@svc/contract';
import { type Expression, sql } from 'kysely';
import { listId } from '../../dialect.ts';
import type { Queries } from '../../port.ts';
import type { DeliveryTable, EndTable } from '../../schema/webhooks.ts';

export interface StoredDelivery
  extends DeliveryTable,
    Pick<EndTable, 'status' | 'attempt' | 'error' | 'response_status' | 'response_time_ms'> {
  delivered_at: number | null;
  next_attempt_at: number | null;
}

/** The statuses of the rows in `delivery_ends`. */
export const ENDED_STATUSES = DELIVERY_STATUSES.filter((status) => status !== 'pending');

/**
 * The condition that a row of `delivery_ends` (alias `ended`) belongs to the delivery in `chosen`. The condition names
 * all statuses, so that the databases can use the primary key, in which the status comes before the delivery's id.
 */
export const isEndOf = (id: Expression<unknown>) =>
  sql`ended.workspace_id = chosen.workspace_id
    and ended.status in (${sql.join(ENDED_STATUSES.map((status) => sql.lit(status)))}) and ended.delivery_id = ${id}`;

/** Reads the deliveries that the query `chosen` selects, with their states from the queue or from `delivery_ends`. */
export async function readDeliveries(queries: Queries, chosen: Expression<unknown>, order: 'asc' | 'desc' = 'asc') {
  const id = listId(queries, 'chosen.id');
  const { rows } = await sql<StoredDelivery>`
    select chosen.*, coalesce(ended.status, 'pending') as status,
      coalesce(ended.attempt, queued.attempt, 0) as attempt,
      case when ended.status = 'success' then ended.ended_at end as delivered_at, queued.due_at as next_attempt_at,
      coalesce(ended.error, queued.error) as error,
      coalesce(ended.response_status, queued.response_status) as response_status,
      coalesce(ended.response_time_ms, queued.response_time_ms) as response_time_ms
    from (${chosen}) as chosen
    left join delivery_queue as queued on queued.workspace_id = chosen.workspace_id and queued.delivery_id = ${id}
    left join delivery_ends as ended on ${isEndOf(id)}
    order by ${id} ${sql.raw(order)}`.execute(queries);
  return rows;
}

export async function findDeliveryAnywhere(queries: Queries, id: string): Promise<StoredDelivery | undefined> {
  const [delivery] = await readDeliveries(queries, sql`select * from deliveries where id = ${id}`);
  return delivery;
}

export async function findDelivery(queries: Queries, workspaceId: string, id: string) {
  const delivery = await findDeliveryAnywhere(queries, id);
  return delivery?.workspace_id === workspaceId ? delivery : undefined;
}

/** Finds a delivery with its event and its latest attempt. Ignores late attempts. */
export async function findDeliveryDetail(queries: Queries, workspaceId: string, id: string) {
  const delivery = await findDelivery(queries, workspaceId, id);
  if (!delivery) return undefined;
  const event = await queries
    .selectFrom('events')
    .select(['body', 'subject_type', 'subject_id'])
    .where('id', '=', delivery.payload_event_id)
    .executeTakeFirst();
  const lastAttempt = await queries
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', id)
    // Do not choose the highest id: each server generates its own ids, so a later attempt can have a lower id. Exclude
    // late attempts, because a late attempt may have the number of the latest attempt.
    .where('number', '=', delivery.attempt)
    .where('late', '=', 0)
    .executeTakeFirst();
  return { delivery, event, lastAttempt };
}

/** Lists a delivery's attempts, including late attempts, and their common body. `undefined` if there is no delivery. */
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
    // Do not sort by id first: each server generates its own ids, so an earlier attempt can have a higher id.
    .orderBy('number')
    .orderBy('ended_at')
    .orderBy('id')
    .execute();
  return { body: delivery.body, attempts };
}

/** Returns an empty string if there is no delivery. */
export async function findLatestDeliveryId(queries: Queries): Promise<string> {
  const row = await queries.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? '';
}

/** Also accepts the synthetic event id of a replay. Returns `undefined` if there is no event with this id. */
export async function findDeliveriesOfEvent(queries: Queries, eventId: string): Promise<StoredDelivery[] | undefined> {
  const findIn = (table: 'events' | 'replayed_events') =>
    queries.selectFrom(table).select('workspace_id').where('id', '=', eventId).executeTakeFirst();
  const event = (await findIn('events')) ?? (await findIn('replayed_events'));
  return event && (await findDeliveriesOfEvents(queries, event.workspace_id, [eventId]));
}

/**
 * Finds the original of a delivery and the original's replays to the same endpoint, oldest first. Leaves out the given
 * delivery. Checks only the newest `limit` replays of the event, including replays to other endpoints.
 */
export async function findReplays(
  queries: Queries,
  delivery: Pick<StoredDelivery, 'id' | 'workspace_id' | 'endpoint_id' | 'payload_event_id'>,
  limit: number,
): Promise<StoredDelivery[]> {
  const original = delivery.payload_event_id;
  const replays = await queries
    .selectFrom('replayed_events')
    .select('id')
    .where('original_event_id', '=', original)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const eventIds = [original, ...replays.map(({ id }) => id)];
  const found = await findDeliveriesOfEvents(queries, delivery.workspace_id, eventIds);
  return found.filter((row) => row.endpoint_id === delivery.endpoint_id && row.id !== delivery.id);
}

async function findDeliveriesOfEvents(queries: Queries, workspaceId: string, eventIds: readonly string[]) {
  const chosen = sql`select * from deliveries
    where workspace_id = ${workspaceId} and event_id in (${sql.join(eventIds)})`;
  return await readDeliveries(queries, chosen);
}
