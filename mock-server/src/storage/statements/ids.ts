import { ulidOf } from '../../domain/id-time.ts';
import type { Queries } from '../port.ts';

const TABLES = [
  'events',
  'deliveries',
  'webhook_endpoints',
  'webhook_secrets',
  'credentials',
  'profiles',
  'evaluations',
] as const;

/**
 * Finds the highest ULID in use, so that new ids can be higher. Returns `undefined` for an empty database. Each lookup
 * reads the end of a primary key.
 */
export async function findLatestId(queries: Queries): Promise<string | undefined> {
  const latest: string[] = [];
  for (const table of TABLES) {
    const row = await queries.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    // Ids from a seed do not always contain a ULID.
    const suffix = row && ulidOf(row.id);
    if (suffix) latest.push(suffix);
  }
  return latest.sort().at(-1);
}

/**
 * Finds the lowest ids of a table below a bound, at most `limit`, from the primary key. Ids increase with time, so
 * these are the ids of the oldest rows.
 */
export async function findOldestIds(
  queries: Queries,
  table: 'evaluations' | 'notifications' | 'replayed_events',
  below: string,
  limit: number,
): Promise<string[]> {
  const rows = await queries
    .selectFrom(table)
    .select('id')
    .where('id', '<', below)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
