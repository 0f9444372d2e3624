import { sql } from 'kysely';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Takes deliveries out of their lanes. */
export async function removeFromQueue(queries: Queries, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  const given = givenRows(
    queries,
    deliveryIds.map((id) => ({ id })),
  );
  await sql`
    delete from delivery_queue where delivery_id in (select given.value ->> 'id' from ${given})`.execute(queries);
}
