import { sql } from 'kysely';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Ends pending deliveries whose endpoint was found inactive or deleted: no request is made any more. */
export async function disableDeliveries(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const given = givenRows(
    queries,
    ids.map((id) => ({ id })),
  );
  await sql`
    update deliveries set status = 'disabled', next_attempt_at = null
    where status = 'pending' and id in (select given.value ->> 'id' from ${given})`.execute(queries);
}
