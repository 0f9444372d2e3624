import type { DeliveryTransition } from '../../src/domain/delivery-transition.ts';
import { updateRows } from '../../src/storage/many-rows.ts';
import type { Queries } from '../../src/storage/port.ts';

/** What an attempt changes in the row of its delivery. */
export interface AttemptedDelivery {
  id: string;
  /** Attempts made, including this one. */
  attempt: number;
  transition: DeliveryTransition;
  error: string | null;
  responseStatus: number | null;
  responseTimeMs: number;
}

const COLUMNS = {
  status: 'text',
  attempt: 'integer',
  delivered_at: 'bigint',
  next_attempt_at: 'bigint',
  error: 'text',
  response_status: 'integer',
  response_time_ms: 'integer',
  id: 'text',
} as const;

/** Updates deliveries after their latest attempt. */
export async function updateAttemptedDeliveries(
  queries: Queries,
  deliveries: readonly AttemptedDelivery[],
): Promise<void> {
  const rows = deliveries.map(({ transition, ...delivery }) => [
    transition.status,
    delivery.attempt,
    transition.status === 'success' ? transition.deliveredAt : null,
    transition.status === 'pending' ? transition.nextAttemptAt : null,
    delivery.error,
    delivery.responseStatus,
    delivery.responseTimeMs,
    delivery.id,
  ]);
  await updateRows(queries, 'deliveries', COLUMNS, rows);
}
