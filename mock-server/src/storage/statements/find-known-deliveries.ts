import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Which of these deliveries exist. */
export async function findKnownDeliveries(queries: Queries, deliveryIds: readonly string[]): Promise<Set<string>> {
  const rows = deliveryIds.map((id) => [id]);
  const found = await runForRows<{ id: string }>(queries, { id: 'text' }, rows, {
    sqlite: 'select id from deliveries where id = ?',
    postgres: (given) => `select deliveries.id from ${given} join deliveries on deliveries.id = given.id`,
  });
  return new Set(found.map(({ id }) => id));
}
