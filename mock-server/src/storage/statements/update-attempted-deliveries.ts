import { sql } from 'kysely';
import type { DeliveryTransition } from '../../domain/delivery-transition.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** What an attempt leaves in the row of its delivery. */
export interface AttemptedDelivery {
  id: string;
  /** Attempts made, this one among them. */
  attempt: number;
  transition: DeliveryTransition;
  error: string | null;
  responseStatus: number | null;
  responseTimeMs: number;
}

/** Moves deliveries to where their latest attempt leaves them. */
export async function updateAttemptedDeliveries(
  queries: Queries,
  deliveries: readonly AttemptedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ transition, ...delivery }) => ({
    ...delivery,
    status: transition.status,
    deliveredAt: transition.status === 'success' ? transition.deliveredAt : null,
    nextAttemptAt: transition.status === 'pending' ? transition.nextAttemptAt : null,
  }));
  await sql`
    update deliveries set
      status = given.value ->> 'status',
      attempt = cast(given.value ->> 'attempt' as integer),
      delivered_at = cast(given.value ->> 'deliveredAt' as bigint),
      next_attempt_at = cast(given.value ->> 'nextAttemptAt' as bigint),
      error = given.value ->> 'error',
      response_status = cast(given.value ->> 'responseStatus' as integer),
      response_time_ms = cast(given.value ->> 'responseTimeMs' as integer)
    from ${givenRows(queries, rows)}
    where deliveries.id = given.value ->> 'id'`.execute(queries);
}
