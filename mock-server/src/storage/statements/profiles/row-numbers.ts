import { sql } from 'kysely';
import type { Queries } from '../../port.ts';

/*
 * SQLite's text search reads profiles in the order of their row numbers (`seq`). Profiles whose ids were generated get
 * row numbers from 0 upwards, in the same order as their ids. Profiles whose ids were set by a seed have negative row
 * numbers. A search reads these profiles separately, and sorts them by id.
 */

/** Chooses row numbers for the ids. If an id has no entry in the result, the database generates the row number. */
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
