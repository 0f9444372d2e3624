import type { Instant } from '../../runtime/clock.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** A delivery's place in the queue, which is found by all of this. */
export interface QueuePlace {
  endpointId: string;
  /** 0 for the first attempt, 1 for the others. */
  retry: number;
  dueAt: Instant;
  deliveryId: string;
}

/**
 * Finds what is due in each of the lanes: at most `limit` first attempts and as many retries, the earliest first. Each
 * is a seek in the queue's index, so the cost does not grow with what waits behind.
 */
export async function findDueDeliveries(
  queries: Queries,
  lanes: readonly { endpointId: string; limit: number }[],
  now: Instant,
): Promise<QueuePlace[]> {
  // First attempts of all lanes, then retries of all: within a lane, that is the order in which `chooseDue` wants them.
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
