import type { Instant } from '../../runtime/clock.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** A delivery's place in the queue. The queue's key consists of these fields. */
export interface QueuePlace {
  endpointId: string;
  /** 0 for a first attempt, 1 for a retry. */
  retry: number;
  dueAt: Instant;
  deliveryId: string;
}

/**
 * Finds what is due in each lane: at most `limit` first attempts and as many retries, earliest first. Each is one
 * look-up in the queue's index, so the cost does not grow with the number of waiting deliveries.
 */
export async function findDueDeliveries(
  queries: Queries,
  lanes: readonly { endpointId: string; limit: number }[],
  now: Instant,
): Promise<QueuePlace[]> {
  // First attempts of all lanes, then retries of all. Within a lane, this is the order that `chooseDue` needs.
  const rows = [0, 1].flatMap((retry) => lanes.map(({ endpointId, limit }) => [endpointId, retry, now, limit]));
  const select = 'select endpoint_id as "endpointId", retry, due_at as "dueAt", delivery_id as "deliveryId" from';
  const order = 'order by due_at, delivery_id limit';
  return runForRows(queries, { endpoint_id: 'text', retry: 'integer', now: 'bigint', room: 'integer' }, rows, {
    sqlite: `${select} delivery_queue where endpoint_id = ? and retry = ? and due_at <= ? ${order} ?`,
    postgres: (given) => `${select} ${given} cross join lateral (
      select due_at, delivery_id from delivery_queue
      where endpoint_id = given.endpoint_id and retry = given.retry and due_at <= given.now ${order} given.room) as head`,
  });
}
