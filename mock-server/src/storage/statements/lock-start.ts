import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** A random number that all nodes use. */
const START_LOCK = 7_316_402_855_190_217n;

/**
 * Lets one node at a time continue, until its transaction ends. If several start on an empty database, only one seeds
 * it. SQLite has one process and needs no lock.
 */
export async function lockStart(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`select pg_advisory_xact_lock(${sql.lit(START_LOCK)})`.execute(queries);
}
