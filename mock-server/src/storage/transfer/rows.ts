import { sql } from 'kysely';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { restored } from './portable.ts';
import { TRANSFER_SETTINGS, TRANSFER_TABLES, type TransferRow, type TransferTable } from './tables.ts';

/** The number of rows to read at a time. */
const PAGE = 500;

/** Reads all rows of a table in the order of the table's key, one page at a time, from the key's index. */
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

/** Inserts rows from an export. All rows must have the same columns. */
export async function insertRowBatch(
  queries: Queries,
  table: keyof Database,
  rows: readonly TransferRow[],
): Promise<void> {
  if (rows.length > 0)
    await queries
      .insertInto(table)
      .values(rows.map((row) => restored(table, row)) as never)
      .execute();
}

/**
 * Whether all tables that an export contains are empty. Settings do not count, because an import replaces the clock and
 * the faults.
 */
export async function isEmpty(queries: Queries): Promise<boolean> {
  for (const { name } of TRANSFER_TABLES) {
    if (name === 'settings') continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(queries);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Deletes the settings that an export contains, such as the clock. */
export async function deleteTransferSettings(queries: Queries): Promise<void> {
  await queries.deleteFrom('settings').where('name', 'in', TRANSFER_SETTINGS).execute();
}
