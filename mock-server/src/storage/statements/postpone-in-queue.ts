import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Moves deliveries to the place in their lanes of a retry that is due at `nextAttemptAt`. */
export async function postponeInQueue(
  queries: Queries,
  retries: readonly { id: string; nextAttemptAt: Instant }[],
): Promise<void> {
  if (retries.length === 0) return;
  await sql`
    update delivery_queue set retry = 1, due_at = cast(given.value ->> 'nextAttemptAt' as bigint)
    from ${givenRows(queries, retries)}
    where delivery_queue.delivery_id = given.value ->> 'id'`.execute(queries);
}
