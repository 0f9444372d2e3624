import type { Instant } from '../../runtime/clock.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import type { QueuePlace } from './find-due-deliveries.ts';

const COLUMNS = { next: 'bigint', endpoint: 'text', turn: 'integer', due: 'bigint', id: 'text' } as const;

/** Moves deliveries in their lanes to the place of a retry that is due at `nextAttemptAt`. */
export async function postponeInQueue(
  queries: Queries,
  retries: readonly { place: QueuePlace; nextAttemptAt: Instant }[],
): Promise<void> {
  const rows = retries.map(({ place: { endpointId, retry, dueAt, deliveryId }, nextAttemptAt }) => [
    nextAttemptAt,
    endpointId,
    retry,
    dueAt,
    deliveryId,
  ]);
  const update = 'update delivery_queue set retry = 1, due_at =';
  await runForRows(queries, COLUMNS, rows, {
    sqlite: `${update} ? where endpoint_id = ? and retry = ? and due_at = ? and delivery_id = ?`,
    postgres: (given) => `${update} given.next from ${given}
      where endpoint_id = given.endpoint and retry = given.turn and due_at = given.due and delivery_id = given.id`,
  });
}
