import { sql } from 'kysely';
import type { Queries } from '../port.ts';

/** The time on PostgreSQL's own clock, in milliseconds since the epoch. */
export async function readDatabaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(queries);
  return rows[0]?.now ?? Number.NaN;
}
