import { sql } from 'kysely';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Locks an endpoint until the transaction ends. Nobody else can lock or change it meanwhile. */
export async function lockEndpoint(queries: Queries, id: string): Promise<void> {
  await sql`select id from webhook_endpoints where id = ${id} ${lockingRows(queries)}`.execute(queries);
}
