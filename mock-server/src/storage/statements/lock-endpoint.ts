import { sql } from 'kysely';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Locks an endpoint for the rest of the transaction against others that lock or change it. */
export async function lockEndpoint(queries: Queries, id: string): Promise<void> {
  await sql`select id from webhook_endpoints where id = ${id} ${lockingRows(queries)}`.execute(queries);
}
