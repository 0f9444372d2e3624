import { sql } from 'kysely';
import type { Queries } from '../port.ts';
import type { TransferTable } from './tables.ts';

/** Rows to read at a time. */
const PAGE = 500;

/** A row of any table. */
export type TransferRow = Record<string, string | number | null>;

/** All rows of a table in the order of its key, one page at a time, from the index of the key. */
export async function* readRows(queries: Queries, { name, key }: TransferTable): AsyncGenerator<TransferRow> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: TransferRow | undefined;
  for (;;) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } = await sql<TransferRow>`
      select * from ${sql.table(name)} ${after ?? sql``} order by ${columns} limit ${sql.lit(PAGE)}`.execute(queries);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}
