import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Cursor } from '../domain/page-token.ts';

/** Where a select starts: after or before the row with this key. Without a key, it starts at one end of the list. */
export interface Bound {
  side: 'after' | 'before';
  key: string | undefined;
  inclusive: boolean;
}

/** The rows that a select has found, with the row nearest to the bound first. */
export interface Found<Row> {
  rows: Row[];
  /** The key at which the select stopped with fewer than `limit` rows, if it stopped before the end of the list. */
  end: string | undefined;
}

/**
 * Reads a page of a list, forwards or backwards, by the keys of its rows (service document, "List envelope"). If rows
 * outside a page are inserted or deleted, the page keeps its rows. If the select stops early, a page can even be empty
 * although the list has a next page.
 *
 * @param select - Returns at most `limit` rows on one side of a key, nearest to the key first.
 */
export async function keysetPage<Row>(
  select: (bound: Bound, limit: number) => Promise<Row[] | Found<Row>>,
  keyOf: (row: Row) => string,
  cursor: Cursor | undefined,
  limit: number,
): Promise<{ rows: Row[]; next: Cursor | null; previous: Cursor | null }> {
  const backwards = cursor?.direction === 'previous';
  const find = async (bound: Bound, rowsMax: number): Promise<Found<Row>> => {
    const found = await select(bound, rowsMax);
    return Array.isArray(found) ? { rows: found, end: undefined } : found;
  };
  const found = await find(
    { side: backwards ? 'before' : 'after', key: cursor?.key, inclusive: cursor?.inclusive ?? false },
    limit + 1,
  );
  const isFull = found.rows.length > limit;
  const rows = found.rows.slice(0, limit);
  if (backwards) rows.reverse();

  const cursorFrom = (direction: Cursor['direction'], row: Row | undefined): Cursor | null => {
    if (row !== undefined) return { direction, key: keyOf(row), inclusive: false };
    // For an empty page, use the place of the caller's cursor.
    return cursor ? { direction, key: cursor.key, inclusive: !cursor.inclusive } : null;
  };
  const before = cursorFrom('previous', rows[0]);
  const after = cursorFrom('next', rows.at(-1));

  /** Whether a row may exist beyond the place. True if the select stops early: the rest of the list may have rows. */
  const exists = async (place: Cursor | null) => {
    if (place === null) return false;
    const side = place.direction === 'next' ? 'after' : 'before';
    const beyond = await find({ side, key: place.key, inclusive: place.inclusive }, 1);
    return beyond.rows.length > 0 || beyond.end !== undefined;
  };
  /** Returns the cursor of the next page in the direction of reading. */
  const onwards = (place: Cursor | null): Cursor | null => {
    if (isFull) return place;
    if (found.end === undefined) return null;
    return { direction: backwards ? 'previous' : 'next', key: found.end, inclusive: false };
  };

  if (backwards) return { rows, next: (await exists(after)) ? after : null, previous: onwards(before) };
  const hasPrevious = cursor !== undefined && (await exists(before));
  return { rows, next: onwards(after), previous: hasPrevious ? before : null };
}

/** Returns a `select` for {@link keysetPage} that reads rows in memory. The rows' keys must be in ascending order. */
export function selectFrom<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  return async ({ side, key, inclusive }: Bound, limit: number): Promise<Row[]> => {
    const inside = (row: Row) => {
      if (key === undefined) return true;
      const at = keyOf(row);
      return at === key ? inclusive : side === 'after' ? at > key : at < key;
    };
    const matching = rows.filter(inside);
    return (side === 'after' ? matching : matching.reverse()).slice(0, limit);
  };
}

/** The order in which a `select` statement reads the ids of a newest-first list. */
export const idOrder = (bound: Bound): 'asc' | 'desc' => (bound.side === 'after' ? 'desc' : 'asc');

/** Returns the operator that compares an id with a bound's key in a newest-first list, in which the ids decrease. */
export function idComparison(bound: Bound): '<' | '<=' | '>' | '>=' {
  const sign = bound.side === 'after' ? '<' : '>';
  return bound.inclusive ? `${sign}=` : sign;
}

/** Returns a function for Kysely's `$call`. From a bound, it selects up to `limit` rows of a newest-first list. */
export function rowsFrom(bound: Bound, limit: number, column: string | RawBuilder<string> = 'id') {
  const id = typeof column === 'string' ? sql.ref<string>(column) : column;
  return <DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>) =>
    query
      .$if(bound.key !== undefined, (rest) => rest.where(id, idComparison(bound), String(bound.key)))
      .orderBy(id, idOrder(bound))
      .limit(limit);
}
