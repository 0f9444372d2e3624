import { isPostgres } from '../../dialect.ts';
import { runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';
import type { QueuePlace } from './take.ts';

const COLUMNS = { endpoint: 'text', retry: 'integer', due: 'bigint', id: 'text' } as const;

/**
 * Ends due deliveries whose endpoint is inactive or deleted: removes the deliveries from the queue and records them in
 * `delivery_ends`, so no further requests are made. The recorded end of each delivery is the time at which it became
 * due.
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
