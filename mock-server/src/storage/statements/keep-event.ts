import { sql } from 'kysely';
import { lockingForUse } from '../dialect.ts';
import type { Queries } from '../port.ts';

/**
 * Keeps an event from being removed for the rest of the transaction, which may store what needs it.
 *
 * @returns whether there is such an event: one that is being removed is waited for.
 */
export async function keepEvent(queries: Queries, id: string): Promise<boolean> {
  const { rows } = await sql`select id from events where id = ${id} ${lockingForUse(queries)}`.execute(queries);
  return rows.length > 0;
}
