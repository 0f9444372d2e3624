import { type Expression, sql } from 'kysely';
import { listId } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { DeliveryTable } from '../schema/webhooks.ts';

/** A delivery with its state. */
export interface StoredDelivery extends DeliveryTable {
  status: string;
  attempt: number;
  delivered_at: number | null;
  next_attempt_at: number | null;
  error: string | null;
  response_status: number | null;
  response_time_ms: number | null;
}

/** The columns of a row of `deliveries` that is called `delivery`. */
export const DELIVERY_COLUMNS = sql.raw<unknown>(
  ['id', 'workspace_id', 'endpoint_id', 'event_id', 'payload_event_id', 'event_type', 'created_at']
    .map((column) => `delivery.${column}`)
    .join(', '),
);

/**
 * Reads deliveries with their state: from their place in the queue while they are pending, from their end afterwards.
 * Each costs two look-ups.
 *
 * @param chosen - Selects the {@link DELIVERY_COLUMNS} of a few deliveries.
 */
export async function readDeliveries(
  queries: Queries,
  chosen: Expression<unknown>,
  order: 'asc' | 'desc' = 'asc',
): Promise<StoredDelivery[]> {
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
    left join delivery_ends as ended on ended.workspace_id = chosen.workspace_id
      and ended.status in ('success', 'failed', 'disabled') and ended.delivery_id = ${id}
    order by ${id} ${sql.raw(order)}`.execute(queries);
  return rows;
}
