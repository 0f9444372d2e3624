import { type RawBuilder, sql } from 'kysely';
import { type Bound, type Found, idOrder } from './keyset.ts';
import type { Queries } from './port.ts';

/**
 * If no index covers all filters of a list, a page reads at most this many rows of the chosen index. If the page merges
 * several lists, such as one for each status, the limit applies to each list. Without this limit, a page of a long list
 * without matching rows would read every row.
 */
export const STRETCH = 5_000;

/** The rows of a list in the order of their ids, read from one index. */
export interface OrderedRows {
  from: RawBuilder<unknown>;
  id: RawBuilder<string>;
  /** The conditions that the index covers, including the bounds of the id. */
  where: readonly RawBuilder<unknown>[];
}

/**
 * Chooses the index with which the database reads the fewest rows for a page: the index whose next {@link STRETCH} rows
 * (its stretch) reach furthest in the list.
 *
 * @param choices - Each choice covers the whole list, either in one part or in several parts that are merged.
 * @returns the position of the choice in `choices`, and the id at which the page must end, if any.
 */
export async function chooseStretch(
  queries: Queries,
  choices: readonly (readonly OrderedRows[])[],
  bound: Bound,
): Promise<{ choice: number; end: string | undefined }> {
  if (choices.length < 2) return { choice: 0, end: undefined };
  const isFurther = (a: string, b: string) => (bound.side === 'after' ? a < b : a > b);
  let furthest: { choice: number; end: string | undefined } = { choice: 0, end: undefined };
  for (const [choice, parts] of choices.entries()) {
    const end = await endOfStretch(queries, parts, bound);
    if (end === undefined) return { choice, end };
    if (furthest.end === undefined || isFurther(end, furthest.end)) furthest = { choice, end };
  }
  return furthest;
}

async function endOfStretch(queries: Queries, parts: readonly OrderedRows[], bound: Bound) {
  const order = sql.raw(idOrder(bound));
  const ends = parts.map(
    ({ from, id, where }) => sql`select * from (
      select ${id} as id from ${from} where ${sql.join([...where], sql` and `)} order by ${id} ${order}
      limit 1 offset ${STRETCH - 1}) as latest`,
  );
  // End the page at the last id of the shortest stretch: after this id, rows of at least one part would be missing.
  const nearest = sql.raw(bound.side === 'after' ? 'max' : 'min');
  const { rows } = await sql<{ id: string | null }>`
    select ${nearest}(id) as id from (${sql.join(ends, sql` union all `)}) as found`.execute(queries);
  return rows[0]?.id ?? undefined;
}

/** Makes a page stop at the end of its stretch. */
export const upTo = (end: string | undefined, id: RawBuilder<string>, bound: Bound): RawBuilder<unknown>[] =>
  end === undefined ? [] : [sql`${id} ${sql.raw(bound.side === 'after' ? '>=' : '<=')} ${end}`];

/** A full page has no `end`, because the query did not read the whole stretch. */
export const foundUpTo = <Row>(rows: Row[], end: string | undefined, limit: number): Found<Row> => ({
  rows,
  end: rows.length < limit ? end : undefined,
});

/** SQL that reads a column, but cannot use the column's own index, so that the database uses the chosen index. */
export const unindexed = (column: string): RawBuilder<string> => sql.raw(`${column} || ''`);
