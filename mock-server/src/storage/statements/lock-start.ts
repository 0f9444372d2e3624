import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** Named by chance; every node uses the same. */
const START_LOCK = 7_316_402_855_190_217n;

/** Lets one node at a time go on, for the rest of the transaction: of several that start on an empty database, one seeds it. SQLite has one process. */
export async function lockStart(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`select pg_advisory_xact_lock(${sql.lit(START_LOCK)})`.execute(queries);
}
