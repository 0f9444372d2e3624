import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Cursor } from '../domain/page-token.ts';

/**
 * Where a select starts to read a list: after a row or before a row. Without a key, it starts at an end of the list.
 */
export interface Bound {
  side: 'after' | 'before';
  key: string | undefined;
  inclusive: boolean;
}

/** The rows that a select found, nearest to the bound first. */
export interface Found<Row> {
  rows: Row[];
  /**
   * The key at which the select stopped early. Undefined if the select found `limit` rows or reached the end of the
   * list.
   */
  end: string | undefined;
}

/**
 * Reads a page of a list, forwards or backwards, by the keys of the rows. The cost of a page does not depend on its
 * position in the list. Inserts and deletes outside a page do not shift the rows of the page (service document, "List
 * envelope").
 *
 * A select can stop early: it has found fewer than `limit` rows, but has not reached the end of the list. In that case,
 * the page has fewer than `limit` rows, or even no rows, but there is a next page.
 *
 * @param select - Returns at most `limit` rows on one side of a key, nearest to the key first.
 * @returns the rows of the page in the list's order. The cursor `next` is null if no rows follow the page, and
 *   `previous` is null if no rows precede the page.
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
    // If the page has no rows, use the place of the cursor that the caller passed.
    return cursor ? { direction, key: cursor.key, inclusive: !cursor.inclusive } : null;
  };
  const before = cursorFrom('previous', rows[0]);
  const after = cursorFrom('next', rows.at(-1));

  /**
   * Returns true if the list has a row beyond the place. Also returns true if the select stops early, because the rest
   * of the list may contain such a row.
   */
  const exists = async (place: Cursor | null) => {
    if (place === null) return false;
    const side = place.direction === 'next' ? 'after' : 'before';
    const beyond = await find({ side, key: place.key, inclusive: place.inclusive }, 1);
    return beyond.rows.length > 0 || beyond.end !== undefined;
  };
  /** Returns the cursor of the page that follows this page in the direction of reading. */
  const onwards = (place: Cursor | null): Cursor | null => {
    if (isFull) return place;
    if (found.end === undefined) return null;
    return { direction: backwards ? 'previous' : 'next', key: found.end, inclusive: false };
  };

  if (backwards) return { rows, next: (await exists(after)) ? after : null, previous: onwards(before) };
  const hasPrevious = cursor !== undefined && (await exists(before));
  return { rows, next: onwards(after), previous: hasPrevious ? before : null };
}

/**
 * Creates a `select` for {@link keysetPage} that reads rows in memory. The keys of `rows` must be in ascending order.
 */
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

/** Returns the order in which a select reads the ids of a newest-first list. */
export const idOrder = (bound: Bound): 'asc' | 'desc' => (bound.side === 'after' ? 'desc' : 'asc');

/** Returns the operator that compares an id with a bound's key. In a newest-first list, the ids decrease. */
export function idComparison(bound: Bound): '<' | '<=' | '>' | '>=' {
  const sign = bound.side === 'after' ? '<' : '>';
  return bound.inclusive ? `${sign}=` : sign;
}

/**
 * For `$call` in a query of a newest-first list. Selects up to `limit` rows on one side of a bound, and starts with the
 * row nearest to the bound.
 */
export function rowsFrom(bound: Bound, limit: number, column: string | RawBuilder<string> = 'id') {
  const id = typeof column === 'string' ? sql.ref<string>(column) : column;
  return <DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>) =>
    query
      .$if(bound.key !== undefined, (rest) => rest.where(id, idComparison(bound), String(bound.key)))
      .orderBy(id, idOrder(bound))
      .limit(limit);
}
