import type { Cursor } from '../domain/page-token.ts';

/** Where a select starts, in the list's order: after a row, before a row, or at the beginning. */
export interface Bound {
  side: 'after' | 'before';
  key: string | undefined;
  inclusive: boolean;
}

/** A page of rows in the list's order, with the cursors of its neighbours. A cursor is null if nothing is there. */
export interface KeysetPage<Row> {
  rows: Row[];
  next: Cursor | null;
  previous: Cursor | null;
}

/**
 * Pages through a list by its rows' keys, in both directions. The cost of a page does not depend on its position.
 * Inserts and deletes elsewhere do not move it (service document, "List envelope").
 *
 * @param select - Returns at most `limit` rows on one side of a key, nearest first.
 */
export async function keysetPage<Row>(
  select: (bound: Bound, limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  cursor: Cursor | undefined,
  limit: number,
): Promise<KeysetPage<Row>> {
  const backwards = cursor?.direction === 'previous';
  const found = await select(
    { side: backwards ? 'before' : 'after', key: cursor?.key, inclusive: cursor?.inclusive ?? false },
    limit + 1,
  );
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);

  // If the page is empty because its rows were deleted, keep the place that led to it.
  const before: Cursor | null =
    first !== undefined
      ? { direction: 'previous', key: keyOf(first), inclusive: false }
      : (cursor && { direction: 'previous', key: cursor.key, inclusive: !cursor.inclusive }) || null;
  const after: Cursor | null =
    last !== undefined
      ? { direction: 'next', key: keyOf(last), inclusive: false }
      : (cursor && { direction: 'next', key: cursor.key, inclusive: !cursor.inclusive }) || null;

  const more = found.length > limit;
  const exists = async (place: Cursor | null) =>
    place !== null &&
    (
      await select(
        { side: place.direction === 'next' ? 'after' : 'before', key: place.key, inclusive: place.inclusive },
        1,
      )
    ).length > 0;

  const hasNext = backwards ? await exists(after) : more;
  const hasPrevious = backwards ? more : cursor !== undefined && (await exists(before));
  return { rows, next: hasNext ? after : null, previous: hasPrevious ? before : null };
}

/** A `select` for {@link keysetPage} over rows in memory. They must be in the list's order, with ascending keys. */
export function selectFrom<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  return async ({ side, key, inclusive }: Bound, limit: number): Promise<Row[]> => {
    const inside = (row: Row) => {
      if (key === undefined) return true;
      const at = keyOf(row);
      return at === key ? inclusive : side === 'after' ? at > key : at < key;
    };
    const matching = rows.filter(inside);
    return side === 'after' ? matching.slice(0, limit) : matching.reverse().slice(0, limit);
  };
}

/** The comparison by id in a list that is newest first. A later row has a lower id. */
export function idComparison(bound: Bound): '<' | '<=' | '>' | '>=' {
  const sign = bound.side === 'after' ? '<' : '>';
  return bound.inclusive ? `${sign}=` : sign;
}
