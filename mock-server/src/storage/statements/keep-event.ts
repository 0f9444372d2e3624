import { sql } from 'kysely';
import { lockingForUse } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Protects an event from being deleted until the transaction ends, so that the transaction can store references to it.
 *
 * @returns whether the event exists. If it is being deleted, this waits for the outcome.
 */
export async function keepEvent(queries: Queries, id: string): Promise<boolean> {
  const { rows } = await sql`select id from events where id = ${id} ${lockingForUse(queries)}`.execute(queries);
  return rows.length > 0;
}
