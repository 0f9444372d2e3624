import type { Instant } from '../../runtime/clock.ts';
import { updateRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Moves deliveries to the place in their lanes of a retry that is due at `nextAttemptAt`. */
export async function postponeInQueue(
  queries: Queries,
  retries: readonly { id: string; nextAttemptAt: Instant }[],
): Promise<void> {
  const rows = retries.map(({ id, nextAttemptAt }) => [1, nextAttemptAt, id]);
  await updateRows(queries, 'delivery_queue', { retry: 'integer', due_at: 'bigint', delivery_id: 'text' }, rows);
}
