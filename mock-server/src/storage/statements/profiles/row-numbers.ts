import { sql } from 'kysely';
import type { Queries } from '../../port.ts';

/*
 * On SQLite, the text search reads profiles in the order of their row numbers (`seq`). Generated ids increase, so for
 * profiles with generated ids, the order of the row numbers is also the order of the ids. The database generates these
 * numbers, which are 0 or higher. A seed may set any id, so a profile whose id was set has a negative number. A search
 * reads these profiles separately, and sorts them by id.
 */

/** The column `seq` of new profiles on SQLite. `null` means that the database generates the number. */
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

/** Matches the rows of profiles with generated ids. */
export const HAS_GENERATED_ID = sql`rowid >= 0`;

/** Matches the rows of profiles whose id was set. */
export const HAS_SET_ID = sql`rowid < 0`;
