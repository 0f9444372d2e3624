import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { restored } from './portable.ts';
import type { TransferRow } from './read-rows.ts';

/** Inserts rows of an export. All rows must have the same columns. */
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
