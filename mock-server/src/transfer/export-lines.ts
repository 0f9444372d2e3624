import { latestMigration } from '../storage/migrations/index.ts';
import type { Queries } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';
import { portable, withoutRealTime } from '../storage/transfer/portable.ts';
import { readRows } from '../storage/transfer/rows.ts';
import { TRANSFER_SETTINGS, TRANSFER_TABLES, type TransferRow } from '../storage/transfer/tables.ts';
import { type ExportHeader, FORMAT, VERSION } from './header.ts';

export interface ExportOptions {
  /** Whether to leave out values that differ from run to run. See {@link withoutRealTime}. */
  stable?: boolean | undefined;
  masterKey?: string | undefined;
}

/** Yields a header, all rows (sorted by the keys of their tables), and a closing line with the number of rows. */
export async function* exportLines(
  queries: Queries,
  { stable, masterKey }: ExportOptions = {},
): AsyncGenerator<string> {
  const header: ExportHeader = {
    format: FORMAT,
    version: VERSION,
    schema: latestMigration,
    masterKeyMark: (await findSetting(queries, 'masterKeyMark')) ?? null,
    note:
      masterKey === undefined
        ? 'This file does not contain the master key. The server that imports this file must have the same key.'
        : 'This file contains the master key. Keep it secret.',
    ...(masterKey !== undefined && { masterKey }),
  };
  yield `${JSON.stringify(header)}\n`;
  let rows = 0;
  for (const table of TRANSFER_TABLES) {
    for await (const row of readRows(queries, table)) {
      if (table.name === 'settings' && !TRANSFER_SETTINGS.some((name) => name === row['name'])) continue;
      rows++;
      const moved = portable(table.name, row);
      yield `${JSON.stringify({ table: table.name, row: inOrder(stable ? withoutRealTime(table.name, moved) : moved) })}\n`;
    }
  }
  yield `${JSON.stringify({ end: true, rows })}\n`;
}

/** Sorts the columns of a row by name, because the two databases return columns in different orders. */
const inOrder = (row: TransferRow): TransferRow =>
  Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
