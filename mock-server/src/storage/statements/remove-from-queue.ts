import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import type { QueuePlace } from './find-due-deliveries.ts';

const COLUMNS = { endpoint: 'text', turn: 'integer', due: 'bigint', id: 'text' } as const;

/** Removes deliveries from their lanes. */
export async function removeFromQueue(queries: Queries, places: readonly QueuePlace[]): Promise<void> {
  const rows = places.map(({ endpointId, retry, dueAt, deliveryId }) => [endpointId, retry, dueAt, deliveryId]);
  await runForRows(queries, COLUMNS, rows, {
    sqlite: 'delete from delivery_queue where endpoint_id = ? and retry = ? and due_at = ? and delivery_id = ?',
    postgres: (given) => `delete from delivery_queue using ${given}
      where endpoint_id = given.endpoint and retry = given.turn and due_at = given.due and delivery_id = given.id`,
  });
}
