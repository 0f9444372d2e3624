import { sql } from 'kysely';
import type { Queries } from '../../port.ts';

/*
 * On SQLite, the text search reads profiles in the order of their row numbers (`seq`). For profiles with generated ids,
 * this is also the order of the ids, because generated ids increase. The database generates a row number of 0 or higher
 * for each of these profiles. Profiles whose ids were set by a seed have negative row numbers. A search reads the
 * profiles with negative row numbers separately, and sorts them by id.
 */

/** Returns SQLite's row numbers of new profiles, by id. If an id has no entry, the database generates the number. */
export async function rowNumbers(
  queries: Queries,
  ids: readonly string[],
  isGenerated: (id: string) => boolean,
): Promise<ReadonlyMap<string, number | null>> {
  const set = ids.filter((id) => !isGenerated(id));
  if (set.length === 0) return new Map();
  const { rows } = await sql<{ lowest: number | null }>`select min(seq) as lowest from profiles`.execute(queries);
  const lowest = Math.min(0, rows[0]?.lowest ?? 0);
  return new Map(set.map((id, index) => [id, lowest - 1 - index]));
}

export const HAS_GENERATED_ID = sql`rowid >= 0`;

export const HAS_SET_ID = sql`rowid < 0`;
