import type { Instant } from '../../../domain/instant.ts';
import { isPostgres } from '../../dialect.ts';
import { runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';
import type { QueuePlace } from './take.ts';

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

const COLUMNS = { endpoint: 'text', retry: 'integer', due: 'bigint', id: 'text' } as const;

/**
 * Ends due deliveries whose endpoint is inactive or deleted: moves them from their places in the queue to the ends. No
 * further requests are made for them. Their end is the time at which they fell due.
 */
export async function disableDeliveries(queries: Queries, places: readonly QueuePlace[]): Promise<void> {
  const rows = places.map(({ endpointId, retry, dueAt, deliveryId }) => [endpointId, retry, dueAt, deliveryId]);
  const kept = 'workspace_id, endpoint_id, delivery_id, attempt, response_status, response_time_ms, error';
  const insert = `insert into delivery_ends (${kept}, status, ended_at) select ${kept}, 'disabled', due_at`;
  const place = 'where endpoint_id = ? and retry = ? and due_at = ? and delivery_id = ?';
  await runForRows(queries, COLUMNS, rows, {
    sqlite: `${insert} from delivery_queue ${place}`,
    postgres: (given) => `
      with moved as (
        delete from delivery_queue as q using ${given}
        where q.endpoint_id = endpoint and q.retry = given.retry and q.due_at = due and q.delivery_id = given.id returning q.*
      ) ${insert} from moved`,
  });
  if (isPostgres(queries)) return;
  await runForRows(queries, COLUMNS, rows, { sqlite: `delete from delivery_queue ${place}`, postgres: () => '' });
}
