import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Takes deliveries out of their lanes. */
export async function removeFromQueue(queries: Queries, deliveryIds: readonly string[]): Promise<void> {
  const rows = deliveryIds.map((id) => [id]);
  await runForRows(queries, { id: 'text' }, rows, {
    sqlite: 'delete from delivery_queue where delivery_id = ?',
    postgres: (given) => `delete from delivery_queue using ${given} where delivery_id = given.id`,
  });
}
