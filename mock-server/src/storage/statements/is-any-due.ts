import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Whether any of these deliveries is due, in flight or not: a seek in the queue's primary key for each until one is. */
export async function isAnyDue(queries: Queries, ids: readonly string[], now: Instant): Promise<boolean> {
  const given = givenRows(
    queries,
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<{ found: number | boolean }>`
    select exists (
      select 1 from ${given} where exists (
        select 1 from delivery_queue where delivery_id = given.value ->> 'id' and due_at <= ${now})) as found`.execute(
    queries,
  );
  return Boolean(rows[0]?.found);
}
